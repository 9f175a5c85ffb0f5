// node deploy/new-env.mjs > .env
//
// Makes the secrets that docker-compose.yml asks for. Keep the file: credentials that identity has given out are worth
// nothing without its pepper, and the database keeps the administrator's password it was made with. NATS receives the NKEYs,
// which are public; each SEED is for the one who it names, those of the operator and of the introspector for you.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { newNkey } from './new-nkey.mjs'

const natsUsers = ['gateway', 'identity', 'management', 'location', 'operator', 'introspector']
const nkeyLines = (user) => {
  const { seed, publicKey } = newNkey()
  const name = `NATS_${user.toUpperCase()}`
  return `${name}_NKEY=${publicKey}\n${name}_SEED=${seed}`
}
const password = () => randomBytes(24).toString('hex')
const { privateKey } = generateKeyPairSync('ed25519')
const kid = randomBytes(6).toString('hex')
const key = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }

console.log(`POSTGRES_PASSWORD=${password()}
IDENTITY_DATABASE_PASSWORD=${password()}
MANAGEMENT_DATABASE_PASSWORD=${password()}
LOCATION_DATABASE_PASSWORD=${password()}
VALKEY_PASSWORD=${password()}
${natsUsers.map(nkeyLines).join('\n')}
IDENTITY_SIGNING_KEYS='${JSON.stringify({ keys: [key] })}'
IDENTITY_PEPPERS='1:${randomBytes(32).toString('base64')}'
MANAGEMENT_SECRET_KEYS='1:${randomBytes(32).toString('base64')}'
LOCATION_SECRET_KEYS='1:${randomBytes(32).toString('base64')}'

# Set both before others use it (see docker-compose.yml):
# PUBLIC_URL=https://bearing.example.com
# TRUSTED_PROXIES=10.0.0.0/8`)
