# From the root of the repository:
#   docker build -t vitviz .
#   docker build -t vitviz-gpu --build-arg LOCK=requirements-gpu.lock .
# The first has PyTorch for the CPU; the second has it for CUDA, several gigabytes larger. deploy/README.md tells how to run it.
ARG PYTHON=docker.io/library/python:3.11-slim-bookworm

FROM $PYTHON AS packages
ARG LOCK=requirements.lock
ARG TORCH_WHEELS=https://download.pytorch.org/whl/cpu/torch/
COPY deploy/$LOCK /requirements.lock
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --only-binary :all: --require-hashes \
        --find-links $TORCH_WHEELS -r /requirements.lock

FROM $PYTHON
COPY --from=packages /venv /venv
WORKDIR /srv/vitviz
COPY app.py ./
COPY .streamlit/config.toml .streamlit/
COPY vitviz vitviz
COPY pages pages
COPY deploy/serve deploy/several.py deploy/
ENV PATH=/venv/bin:$PATH HOME=/tmp PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m compileall -q app.py vitviz pages deploy
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["deploy/serve", "--server.address=0.0.0.0"]
