import type { IncomingMessage } from 'node:http'
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_CERTIFICATE_LENGTH, MAX_CHAIN } from '@bearing/contracts/identity/credentials/credential'
import { compile } from '@fastify/proxy-addr'
import {
  CERTIFICATE_HEADERS,
  readHeaders,
  type CertificateForm,
  type ClientCertificate,
} from './certificate-headers.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

export type CertificateSource = 'off' | 'tls' | CertificateForm

/** Finds the client certificate of a request. It is not verified, except that the client has its key. */
@Injectable()
export class ClientCertificates {
  private readonly isTrusted: (address: string, hop: number) => boolean
  /** Certificates of connections. They do not change: the gateway does not renegotiate, and does not resume sessions. */
  private readonly ofSockets = new WeakMap<TLSSocket, ClientCertificate | 'none'>()

  private readonly source: CertificateSource

  constructor(@Inject(SETTINGS) { CLIENT_CERTIFICATES, TRUSTED_PROXIES }: Settings) {
    this.source = CLIENT_CERTIFICATES
    this.isTrusted = compile(TRUSTED_PROXIES)
  }

  /**
   * Returns the client certificate; undefined if there is none.
   *
   * @throws OperationError `device_certificate_invalid` if the header comes from anyone but a trusted proxy, is there twice, or
   *   cannot be read
   */
  of({ socket, headersDistinct }: IncomingMessage): ClientCertificate | undefined {
    if (this.source === 'off') return undefined
    if (this.source === 'tls') return socket instanceof TLSSocket ? this.ofConnection(socket) : undefined
    const values = CERTIFICATE_HEADERS[this.source].map((name) => headersDistinct[name])
    if (values.every((value) => value === undefined)) return undefined
    if (!this.isTrusted(socket.remoteAddress ?? '', 0))
      throw refused('a header with a client certificate is accepted from TRUSTED_PROXIES alone')
    if (values.some((value) => (value?.length ?? 0) > 1))
      throw refused('the header with the client certificate is there more than once')
    return readHeaders(
      this.source,
      values.map((value) => value?.[0]),
    )
  }

  private ofConnection(socket: TLSSocket): ClientCertificate | undefined {
    const known = this.ofSockets.get(socket) ?? readConnection(socket) ?? 'none'
    this.ofSockets.set(socket, known)
    return known === 'none' ? undefined : known
  }
}

function readConnection(socket: TLSSocket): ClientCertificate | undefined {
  const sent: string[] = []
  let next: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true)
  // Node repeats a certificate that has signed itself for ever.
  while (next?.raw && !sent.includes(next.raw.toString('base64')) && sent.length <= MAX_CHAIN) {
    sent.push(next.raw.toString('base64'))
    next = next.issuerCertificate
  }
  const [certificate, ...chain] = sent
  if (certificate === undefined) return undefined
  if (sent.some((one) => one.length > MAX_CERTIFICATE_LENGTH)) throw refused('it is too large')
  return { certificate, chain }
}

function refused(why: string): OperationError {
  return new OperationError('device_certificate_invalid', `The client certificate is refused: ${why}.`)
}
