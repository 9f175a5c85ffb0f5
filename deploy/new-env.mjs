// node deploy/new-env.mjs > .env
//
// Makes the secrets that docker-compose.yml asks for. Keep the file: credentials that identity has given out are worth
// nothing without its pepper, and the database keeps the administrator's password it was made with.
import { generateKeyPairSync, randomBytes } from 'node:crypto'

const password = () => randomBytes(24).toString('hex')
const { privateKey } = generateKeyPairSync('ed25519')
const kid = randomBytes(6).toString('hex')
const key = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }

console.log(`POSTGRES_PASSWORD=${password()}
IDENTITY_DATABASE_PASSWORD=${password()}
MANAGEMENT_DATABASE_PASSWORD=${password()}
LOCATION_DATABASE_PASSWORD=${password()}
NATS_PASSWORD=${password()}
IDENTITY_SIGNING_KEYS='${JSON.stringify({ keys: [key] })}'
IDENTITY_PEPPERS='1:${randomBytes(32).toString('base64')}'`)
