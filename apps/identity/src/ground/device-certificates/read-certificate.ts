import { createPublicKey, hash, X509Certificate, type KeyObject } from 'node:crypto'
import { Certificate } from 'pkijs'

/** A certificate, and what is compared of it. Nothing of it is verified. */
export interface ReadCertificate {
  readonly der: Buffer<ArrayBuffer>
  /** For names and extensions. */
  readonly parsed: Certificate
  /** For the signature, by OpenSSL. */
  readonly x509: X509Certificate
  readonly key: KeyObject
  /** SHA-256 of the DER of the subject, of the issuer, and of the public key. */
  readonly subjectHash: Buffer<ArrayBuffer>
  readonly issuerHash: Buffer<ArrayBuffer>
  readonly keyHash: Buffer<ArrayBuffer>
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Reads one certificate from PEM or DER. Undefined: it is none, it cannot be read, or there is more than one. */
export function readCertificate(text: string | Uint8Array): ReadCertificate | undefined {
  try {
    if (typeof text === 'string' && text.split('-----BEGIN ').length !== 2) return undefined
    const x509 = new X509Certificate(text)
    const der = Buffer.from(x509.raw)
    // OpenSSL ignores bytes behind the certificate.
    if (typeof text !== 'string' && text.length !== der.length) return undefined
    const parsed = Certificate.fromBER(der)
    const spki = Buffer.from(x509.publicKey.export({ type: 'spki', format: 'der' }))
    return {
      ...{ der, parsed, x509, key: createPublicKey({ key: spki, type: 'spki', format: 'der' }) },
      subjectHash: sha256(parsed.subject.valueBeforeDecode),
      issuerHash: sha256(parsed.issuer.valueBeforeDecode),
      keyHash: sha256(spki),
      ...{ notBefore: x509.validFromDate, notAfter: x509.validToDate },
    }
  } catch {
    return undefined
  }
}

function sha256(bytes: ArrayBuffer | Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', new Uint8Array(bytes), 'buffer'))
}
