# The public names of gamedeid.pictures, each with its module, in the form that lazy_imports.public_names reads.

from gamedeid.pictures.picture import Picture as Picture
from gamedeid.pictures.saving import save_picture as save_picture
