"""Common given names, by which a column of people's names is known whatever it is called.

Those of the United States by how many have them, without those that are places, months or plain words too, and of
languages that its records have. The share of people whom they name is far from one; a part of a column is enough.
"""

_WOMEN = """
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley
kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon laura cynthia dorothy amy
kathleen angela shirley emma brenda pamela nicole anna samantha katherine christine helen debra rachel carolyn  janet
maria olivia heather diane julie joyce evelyn joan lauren kelly christina andrea cheryl megan hannah  jacqueline
martha teresa gloria sara janice ann kathryn abigail sophia frances jean alice judy isabella julia  denise amber
marilyn danielle beverly theresa diana natalie brittany doris kayla alexis lori marie
"""
_MEN = """
james robert john michael david william richard joseph thomas christopher charles daniel matthew anthony mark  donald
steven andrew paul joshua kenneth kevin brian timothy ronald george jason edward jeffrey ryan jacob nicholas  gary
eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick jack dennis jerry  tyler
aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy walter christian keith roger terry  sean
gerald carl dylan harold jesse bryan lawrence arthur gabriel bruce logan billy joe alan juan elijah willie  albert
wayne randy mason vincent liam roy bobby caleb bradley russell lucas  luis carlos jorge miguel antonio manuel pedro
francisco alejandro ricardo fernando rosa carmen juana guadalupe
"""
_OTHERS = """
ana sofia lucia elena hans karl heinz klaus juergen wolfgang stefan andreas ursula monika petra sabine renate  jean
pierre michel jacques philippe isabelle nathalie giovanni giuseppe francesca mohammed muhammad ahmed ali  fatima aisha
omar wei ming hiroshi yuki priya anil raj sanjay olga ivan svetlana dmitri katarzyna piotr
"""

GIVEN_NAMES = frozenset(f"{_WOMEN} {_MEN} {_OTHERS}".split())
"""In small letters."""
