import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { OperationError } from '@bearing/contracts/errors'
import type { showClientKeys } from '@bearing/contracts/identity/sso/sso-connection'
import type { Output } from '@bearing/contracts/operation'
import { SecretBox, UnknownKeyError } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import { calculateJwkThumbprint } from 'jose'
import { Prisma } from '../../generated/prisma/client.js'

const PURPOSE = 'sso client key'
const BITS = 2048

type PublicJwk = Output<typeof showClientKeys>['keys'][number]

export interface StoredClientKey {
  readonly keyBox: Uint8Array<ArrayBuffer> | null
  readonly keyPepperId: string | null
  readonly publicJwk: unknown
}

/** A private key and the id that the provider knows it by. */
export interface ClientKey {
  readonly key: KeyObject
  readonly kid: string
}

/** The columns of a connection whose client signs in with a key, or with a secret. */
export type KeyColumns = Awaited<ReturnType<ClientKeys['create']>> | typeof NO_KEY

export const NO_KEY = { keyBox: null, keyPepperId: null, publicJwk: Prisma.DbNull } as const

/**
 * Creates, seals and opens the key pairs that clients sign in with. Each connection has its own, so an assertion for one provider is of
 * no use at another.
 */
@Injectable()
export class ClientKeys {
  constructor(private readonly box: SecretBox) {}

  /** Creates a key pair. RS256 is the algorithm that every provider has. @returns the columns to store */
  async create(connectionId: string) {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
    const publicJwk: PublicJwk = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
    return { ...this.seal(connectionId, privateKey.export({ type: 'pkcs8', format: 'der' })), publicJwk }
  }

  /** Opens a private key; undefined if the client has none. @throws OperationError `service_unavailable` without its pepper */
  open(connectionId: string, { keyBox, keyPepperId, publicJwk }: StoredClientKey): ClientKey | undefined {
    if (keyBox === null || keyPepperId === null) return undefined
    const key = createPrivateKey({
      key: Buffer.from(this.plain(connectionId, keyBox, keyPepperId)),
      format: 'der',
      type: 'pkcs8',
    })
    return { key, kid: (publicJwk as PublicJwk).kid } // of `create`
  }

  /** Returns the columns to update if the key is not sealed with the current pepper. */
  renewed(connectionId: string, { keyBox, keyPepperId }: StoredClientKey) {
    if (keyBox === null || keyPepperId === null || this.box.isCurrent({ keyId: keyPepperId }))
      return undefined
    return this.seal(connectionId, this.plain(connectionId, keyBox, keyPepperId))
  }

  private seal(connectionId: string, key: Uint8Array) {
    const { box, keyId } = this.box.seal(PURPOSE, connectionId, key)
    return { keyBox: box, keyPepperId: keyId }
  }

  private plain(connectionId: string, box: Uint8Array, keyId: string): Uint8Array {
    try {
      return this.box.open(PURPOSE, connectionId, { box, keyId })
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError(
        'service_unavailable',
        'The connection cannot be used right now.',
        {},
        { cause },
      )
    }
  }
}
