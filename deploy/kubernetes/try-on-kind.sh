#!/bin/sh
# Installs a release in kind and upgrades it under load: sh deploy/kubernetes/try-on-kind.sh <release folder> <image of a kind node>
#
# .github/workflows/release.yml runs it before anything is published. It needs docker, kind, kubectl, skopeo, Helm 4 and Node, and
# has been run nowhere else: the tests of a checkout have no cluster.
set -eu
release=$1 node=$2
cd "$(dirname "$0")/../.."
version=$(node --print 'require("./package.json").version')
values="--namespace bearing --timeout 15m --set image.registry=localhost --set service.type=NodePort --set service.nodePort=30080
  --set redis.enabled=false --set redis.acceptLimitsPerProcess=true --set settings.PUBLIC_URL=http://localhost:8080
  --set identity.settings.STREAM_REPLICAS=1 --set networkPolicy.postgres.to[0].podSelector.matchLabels.app\.kubernetes\.io/name=bearing-postgres"

kind create cluster --name bearing --image "$node" --config - <<END
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
    extraPortMappings: [{ containerPort: 30080, hostPort: 8080 }]
  - role: worker
  - role: worker
END
trap 'kubectl get pods,events --namespace bearing; kind delete cluster --name bearing' EXIT

# `next` is another tag of the same images: everything is replaced, as by a new version.
for name in gateway identity management location one migrate cli; do
  image=localhost/bearing-$name
  skopeo copy --quiet "oci:$release/images:bearing-$name-$version" "docker-archive:/tmp/image.tar:$image:$version"
  kind load image-archive --name bearing /tmp/image.tar && rm /tmp/image.tar
  for worker in $(kind get nodes --name bearing); do
    docker exec "$worker" ctr --namespace k8s.io images tag "$image:$version" "$image:next"
  done
done

kubectl apply -f deploy/kubernetes/namespace.yaml
node deploy/new-env.mjs | node deploy/kubernetes/secrets.mjs | kubectl apply --namespace bearing -f -
kubectl apply -f deploy/kubernetes/small/postgres.yaml
helm repo add nats https://nats-io.github.io/k8s/helm/charts/
helm install bearing-nats nats/nats --version 2.14.2 --namespace bearing \
  --values deploy/kubernetes/nats-values.yaml --values deploy/kubernetes/small/nats-values.yaml
chart=$release/bearing-$version.tgz
# shellcheck disable=SC2086 # a list of arguments
helm install bearing "$chart" --wait --wait-for-jobs $values

sed "s|image: .*|image: localhost/bearing-cli:$version|" deploy/kubernetes/cli.yaml | kubectl apply -f -
kubectl wait --namespace bearing --for=condition=Ready pod/bearing-cli --timeout 2m
BEARING_EMAIL=you@example.com BEARING_PASSWORD=$(node --print 'crypto.randomUUID()')
export BEARING_EMAIL BEARING_PASSWORD BEARING_URL=http://localhost:8080
echo "$BEARING_PASSWORD" | kubectl exec --namespace bearing -i bearing-cli -- \
  node dist/main.js admin bootstrap --email "$BEARING_EMAIL"
bearing() { "$release/bearing-$version-linux-x64" "$@"; }
bearing organizations create Acme --slug acme
export BEARING_ORG=acme

# Requests one after the other until the file is gone; each that is not served is a line. A 503 with Retry-After is repeated once, as clients do.
touch /tmp/load
while [ -e /tmp/load ]; do
  bearing organizations show > /tmp/answer 2>&1 || cat /tmp/answer >> /tmp/failed
  echo >> /tmp/sent
done &
load=$!
# shellcheck disable=SC2086
helm upgrade bearing "$chart" --wait --wait-for-jobs --force-conflicts $values --set image.tag=next
helm rollback bearing --namespace bearing --wait --timeout 15m --force-conflicts
helm test bearing --namespace bearing --logs
rm /tmp/load && wait "$load"
sent=$(wc -l < /tmp/sent)
echo "$sent requests during the upgrade and the way back"
test "$sent" -ge 50
test ! -e /tmp/failed || { cat /tmp/failed; exit 1; }

# The preset `small` on the same stores.
# shellcheck disable=SC2086
helm upgrade bearing "$chart" --wait --wait-for-jobs --force-conflicts $values --values deploy/kubernetes/small/bearing-values.yaml
bearing organizations show
