import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Differences of a reply from that of a browser on the page of Bearing. */
export interface Differences {
  readonly origin?: string
  readonly rpId?: string
  /** True if the authenticator verified its user (default: true). */
  readonly verified?: boolean
}

/** Public URL that the identity of the tests is started with. */
const ORIGIN = 'https://bearing.example.com'
const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** An authenticator with one key, as browsers see it: makes attestations `none` and assertions (WebAuthn). */
export class SoftwarePasskey {
  /** Signatures so far. Set it back to be a clone. */
  counter = 0
  readonly id = randomBytes(32)
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** Returns the reply of `navigator.credentials.create()`, as `POST /auth/passkeys` takes it. */
  create(challenge: string, differences: Differences = {}) {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const key = map(
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    )
    const length = Buffer.from([0, this.id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key])
    const data = Buffer.concat([this.dataFor(differences, ATTESTED), attested])
    const attestation = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(data)],
    )
    return {
      client_data: clientData('webauthn.create', challenge, differences).toString('base64url'),
      attestation_object: attestation.toString('base64url'),
    }
  }

  /** Returns the reply of `navigator.credentials.get()`, as the field `passkey` takes it. */
  assert(challenge: string, differences: Differences = {}) {
    this.counter++
    const data = this.dataFor(differences)
    const client = clientData('webauthn.get', challenge, differences)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      credential_id: this.id.toString('base64url'),
      client_data: client.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
    }
  }

  private dataFor({ rpId = new URL(ORIGIN).hostname, verified = true }: Differences, flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const rpIdHash = createHash('sha256').update(rpId).digest()
    return Buffer.concat([rpIdHash, Buffer.from([PRESENT | (verified ? VERIFIED : 0) | flags]), counter])
  }
}

function clientData(type: string, challenge: string, { origin = ORIGIN }: Differences): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** CBOR (RFC 8949): as much of it as attestations need. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...pairs: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()])
