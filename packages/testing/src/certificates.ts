import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { deviceCaCode } from '@bearing/contracts/identity/devices/device-ca'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const { KeyUsageFlags } = x509
type KeyPair = webcrypto.CryptoKeyPair
const HOUR_MS = 3_600_000

/** A certificate with its key. */
export interface Issued {
  readonly pem: string
  readonly der: Buffer
  readonly keyPem: string
  readonly keys: KeyPair
  readonly certificate: x509.X509Certificate
}

/** Differences of a certificate from a valid one. */
export interface Different {
  readonly extensions?: readonly x509.Extension[]
  readonly keys?: KeyPair
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly signedWith?: KeyPair
}

export function newKeys(
  algorithm: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams = ALGORITHM,
): Promise<KeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

/** The extensions of a CA. */
export function caExtensions(pathLength?: number, usages = KeyUsageFlags.keyCertSign): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, pathLength, true),
    new x509.KeyUsagesExtension(usages, true),
  ]
}

/** Creates a root CA. */
export function newCa(name = `CN=CA ${crypto.randomUUID()}`, different: Different = {}): Promise<Issued> {
  return issue(undefined, name, { extensions: caExtensions(), ...different })
}

/** Issues a certificate. Without an issuer it signs itself. */
export async function issue(
  issuer: Issued | undefined,
  name: string,
  { extensions = [], notBefore, notAfter, signedWith, ...different }: Different = {},
): Promise<Issued> {
  const keys = different.keys ?? (await newKeys())
  const signer = signedWith ?? issuer?.keys ?? keys
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: crypto.randomUUID().replaceAll('-', '').slice(1),
    ...{ subject: name, issuer: issuer?.certificate.subject ?? name, publicKey: keys.publicKey },
    ...{
      signingKey: signer.privateKey,
      signingAlgorithm: { ...signer.privateKey.algorithm, hash: 'SHA-256' },
    },
    notBefore: notBefore ?? new Date(Date.now() - HOUR_MS),
    notAfter: notAfter ?? new Date(Date.now() + HOUR_MS),
    extensions: [...extensions],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    ...{ certificate, keys, pem: certificate.toString('pem'), der: Buffer.from(certificate.rawData) },
    keyPem: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  }
}

/** Issues the certificate that proves possession of a CA key for a project. */
export async function verificationFor(ca: Issued, projectId: string): Promise<string> {
  return (await issue(ca, `CN=${deviceCaCode(projectId)}`)).pem
}
