# gamedeid in a container: built with a network, run without any, by a user who is not root, on a read-only file system.
# docs/howto/install.md says how to build and run it.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY hierarchies/ hierarchies/
COPY scenarios/ scenarios/
COPY gamedeid/ gamedeid/
# The loops that a comparison takes are compiled here, for any processor of this kind, and found where nothing can be
# written. -P: beside the installed package, and not beside the sources here. What gamedeid needs comes into one layer and
# gamedeid itself into another, which alone changes with most versions.
RUN python -m venv --without-pip /opt/gamedeid \
 && python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
 && python -m pip --python /opt/gamedeid/bin/python install --no-cache-dir "$(echo /wheels/*.whl)[all]" \
 && python -m pip --python /opt/gamedeid/bin/python uninstall --yes gamedeid \
 && python -m pip --python /opt/gamedeid/bin/python install --no-cache-dir --no-deps --no-index --root /program /wheels/*.whl \
 && PYTHONPATH="$(find /program -name site-packages)" NUMBA_CPU_NAME=generic \
    /opt/gamedeid/bin/python -P -m gamedeid compare quickstart

FROM ${PYTHON_IMAGE}
COPY --from=build /opt/gamedeid /opt/gamedeid
COPY --from=build /program/opt/gamedeid /opt/gamedeid
# A folder for further compiled loops and one for matplotlib: both in /tmp, since a user without an account has no home.
ENV PATH=/opt/gamedeid/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CACHE_DIR=/tmp/gamedeid/numba \
    NUMBA_CPU_NAME=generic \
    MPLCONFIGDIR=/tmp/gamedeid/matplotlib
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["gamedeid"]
CMD ["--help"]
