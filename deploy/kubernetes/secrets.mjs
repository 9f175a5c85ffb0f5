// node deploy/kubernetes/secrets.mjs < .env | kubectl apply --namespace bearing -f -
//
// Writes the Secrets that the chart and the files here read, from what deploy/new-env.mjs made. Keep the .env in your secret store.
import { readFileSync } from 'node:fs'

const lines = readFileSync(0, 'utf8').matchAll(/^([A-Z][A-Z0-9_]*)='?(.*?)'?$/gm)
const env = Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
const of = (name) => {
  if (!env[name]) throw new Error(`${name} is missing: make the file with deploy/new-env.mjs`)
  return env[name]
}
const database = (role, password, host = 'bearing-postgres-rw') =>
  `postgresql://${role}:${of(password)}@${host}:5432/bearing`
const redis = () => `redis://:${of('VALKEY_PASSWORD')}@bearing-valkey:6379`

const owner = { username: 'bearing_owner', password: of('POSTGRES_PASSWORD') }
const secrets = {
  gateway: { NATS_NKEY_SEED: of('NATS_GATEWAY_SEED'), REDIS_URL: redis() },
  identity: {
    NATS_NKEY_SEED: of('NATS_IDENTITY_SEED'),
    IDENTITY_DATABASE_URL: database('identity', 'IDENTITY_DATABASE_PASSWORD'),
    IDENTITY_SIGNING_KEYS: of('IDENTITY_SIGNING_KEYS'),
    IDENTITY_PEPPERS: of('IDENTITY_PEPPERS'),
    REDIS_URL: redis(),
  },
  management: {
    NATS_NKEY_SEED: of('NATS_MANAGEMENT_SEED'),
    MANAGEMENT_DATABASE_URL: database('management', 'MANAGEMENT_DATABASE_PASSWORD'),
    MANAGEMENT_SECRET_KEYS: of('MANAGEMENT_SECRET_KEYS'),
  },
  location: {
    NATS_NKEY_SEED: of('NATS_LOCATION_SEED'),
    LOCATION_DATABASE_URL: database('location', 'LOCATION_DATABASE_PASSWORD'),
    // Used where location.secret.optionalKeys names it.
    LOCATION_READ_URL: database('location', 'LOCATION_DATABASE_PASSWORD', 'bearing-postgres-ro'),
    LOCATION_SECRET_KEYS: of('LOCATION_SECRET_KEYS'),
    REDIS_URL: redis(),
  },
  migration: { DATABASE_URL: database(owner.username, 'POSTGRES_PASSWORD') },
  nats: Object.fromEntries(Object.entries(env).filter(([name]) => /^NATS_.*_NKEY$/.test(name))),
  valkey: { VALKEY_PASSWORD: of('VALKEY_PASSWORD') },
  operator: { BEARING_NATS_NKEY_SEED: of('NATS_OPERATOR_SEED') },
  'postgres-owner': owner,
}
const items = Object.entries(secrets).map(([name, stringData]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bearing-${name}` },
  type: name === 'postgres-owner' ? 'kubernetes.io/basic-auth' : 'Opaque',
  stringData,
}))
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2))
