# The dealer in a container. What is installed is pinned by hash in requirements.txt; pip and everything that built it stay behind.
#   docker build -t cardroom . && docker compose up -d          compose.yaml starts it as it is meant to run
#   docker run --rm -it -p 127.0.0.1:8765:8765 cardroom --host 0.0.0.0          the local cardroom, without a token
# The base is named by its digest, so that a build is the same tomorrow; .github/dependabot.yml asks for newer ones.
# .ci/image.py follows these steps where there is no container engine; it knows the instructions that are used here.

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
RUN python -m venv --without-pip /opt/cardroom
WORKDIR /src
COPY requirements.txt ./
RUN pip --python /opt/cardroom/bin/python install --quiet --no-cache-dir --require-hashes --only-binary :all: -r requirements.txt
COPY bot /src/bot
COPY cogs /src/cogs
# The packages are copied as they are: building a wheel would download a build tool that nothing pins.
RUN site=$(/opt/cardroom/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
 && cp -r bot cogs "$site" \
 && printf '#!/opt/cardroom/bin/python -I\nimport sys\nfrom bot.__main__ import main\nsys.exit(main())\n' >/opt/cardroom/bin/cardroom \
 && chmod 755 /opt/cardroom/bin/cardroom \
 && /opt/cardroom/bin/python -m compileall -q "$site/bot" "$site/cogs"
COPY LICENSE /opt/cardroom/LICENSE

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
# Pillow finds it when it draws names in Arabic, Thai or Hindi: it joins their letters. The images of Python come without.
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends libfribidi0 \
 && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 cardroom \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin cardroom \
 && install -d -o 10001 -g 10001 -m 700 /data
COPY --from=build /opt/cardroom /opt/cardroom
ENV PATH=/opt/cardroom/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV PYTHONDONTWRITEBYTECODE=1
ENV CARDROOM_DATA=/data
ENV CARDROOM_METRICS=127.0.0.1:9464
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 CMD ["cardroom", "health"]
ENTRYPOINT ["cardroom"]
CMD ["--no-browser"]
