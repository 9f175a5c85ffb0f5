import type { KeyObject } from 'node:crypto'
import {
  CertificateChainValidationEngine,
  type BasicConstraints,
  type Certificate,
  type ExtKeyUsage,
  type GeneralName,
  type GeneralSubtree,
  type NameConstraints,
} from 'pkijs'
import type { ReadCertificate } from './read-certificate.js'

const KEY_USAGE = '2.5.29.15'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const NAME_CONSTRAINTS = '2.5.29.30'
const EXTENDED_KEY_USAGE = '2.5.29.37'
/** Extensions that may be critical: also identifiers of keys, and policies, which the library processes. */
const KNOWN = new Set([
  ...[KEY_USAGE, SUBJECT_ALT_NAME, BASIC_CONSTRAINTS, NAME_CONSTRAINTS, EXTENDED_KEY_USAGE],
  ...['2.5.29.14', '2.5.29.35', '2.5.29.32', '2.5.29.33', '2.5.29.36', '2.5.29.54'],
])
/** clientAuth, and any. */
const FOR_CLIENTS = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']
/** Bits of the first byte of key usage. */
const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04
/** Kinds of names whose constraints the library compares: email, DNS, directory, URI, IP address. */
const COMPARED_NAMES = new Set([1, 2, 4, 6, 7])
/** ECDSA and RSA (PKCS #1) with SHA-256, SHA-384 or SHA-512. */
const SIGNATURES = new Set([
  ...['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4'],
  ...['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13'],
])
interface Values {
  readonly [KEY_USAGE]: { readonly valueBlock: { readonly valueHexView: Uint8Array } }
  readonly [SUBJECT_ALT_NAME]: { readonly altNames: GeneralName[] }
  readonly [BASIC_CONSTRAINTS]: BasicConstraints
  readonly [NAME_CONSTRAINTS]: NameConstraints
  readonly [EXTENDED_KEY_USAGE]: ExtKeyUsage
}
const MIN_RSA_BITS = 2_048
const CA_CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/** Returns whether a certificate can be that of a CA, at a moment. */
export function isCa(certificate: ReadCertificate, now: Date): boolean {
  return isReadable(certificate) && isCaCertificate(certificate) && isValidAt(certificate, now)
}

/**
 * Returns whether a path leads from a device to a CA that a project trusts (RFC 5280 §6). The library (pkijs) verifies signatures, times, CA flags,
 * policies and name constraints; it does not check path length, usages of the device's certificate, unknown extensions, names
 * beside a permitted one, and weak algorithms, and it follows circles: these are checked here.
 *
 * @param path the certificate of the device and those between it and the CA, each signed by the next one
 */
export async function leadsTo(
  path: readonly ReadCertificate[],
  anchor: ReadCertificate,
  now: Date,
): Promise<boolean> {
  const [leaf, ...between] = path
  if (!leaf || !isForClients(leaf) || !isChain([...path, anchor])) return false
  if (![...path, anchor].every(isReadable) || ![...between, anchor].every(isCaCertificate)) return false
  if (![...path, anchor].every((one) => isValidAt(one, now)) || !keepsLengths([...between, anchor]))
    return false
  const constraints = constraintsOf([...between, anchor])
  if (constraints === 'refused' || (constraints && path.some(hasSeveralNamesOfAKind))) return false
  const ofAnchor = valueOf(anchor, NAME_CONSTRAINTS)
  const next = new Map(path.map(({ parsed }, at) => [parsed, (path[at + 1] ?? anchor).parsed]))
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [anchor.parsed],
    certs: path.map(({ parsed }) => parsed).reverse(),
    checkDate: now,
    findIssuer: (certificate: Certificate) => nextIn(next, certificate),
  })
  const { result, certificatePath } = await engine.verify({
    initialPermittedSubtreesSet: ofAnchor?.permittedSubtrees ?? [],
    initialExcludedSubtreesSet: ofAnchor?.excludedSubtrees ?? [],
  })
  // The library takes the last certificate of its list, without those that are there twice.
  return result && certificatePath?.[0] === leaf.parsed
}

async function nextIn(
  next: ReadonlyMap<Certificate, Certificate>,
  certificate: Certificate,
): Promise<Certificate[]> {
  const issuer = next.get(certificate)
  return issuer && (await certificate.verify(issuer)) ? [issuer] : []
}

/** Each certificate once, and each signed by the key of the next one, which has the name of its issuer. */
function isChain(path: readonly ReadCertificate[]): boolean {
  const distinct = new Set(path.map(({ der }) => der.toString('base64')))
  return (
    distinct.size === path.length &&
    path.every((one, at) => {
      const issuer = path[at + 1]
      return !issuer || isIssuedBy(one, issuer)
    })
  )
}

/** Returns whether the key of another certificate has signed this one: the name alone says nothing. */
export function isIssuedBy(certificate: ReadCertificate, issuer: ReadCertificate): boolean {
  try {
    return certificate.issuerHash.equals(issuer.subjectHash) && certificate.x509.verify(issuer.key)
  } catch {
    return false
  }
}

function isReadable({ parsed }: ReadCertificate): boolean {
  const { extensions = [] } = parsed
  const isEachOnce = new Set(extensions.map(({ extnID }) => extnID)).size === extensions.length
  const isEachKnown = extensions.every((extension) => {
    if (!KNOWN.has(extension.extnID)) return !extension.critical
    const value: unknown = extension.parsedValue
    const isObject = typeof value === 'object' && value !== null
    return isObject && !('parsingError' in value && value.parsingError !== undefined)
  })
  const { algorithmId } = parsed.signatureAlgorithm
  return (
    isEachOnce && isEachKnown && SIGNATURES.has(algorithmId) && parsed.signature.algorithmId === algorithmId
  )
}

function isValidAt({ notBefore, notAfter }: ReadCertificate, now: Date): boolean {
  return notBefore <= now && now <= notAfter
}

function isCaCertificate(certificate: ReadCertificate): boolean {
  const constraints = valueOf(certificate, BASIC_CONSTRAINTS)
  return constraints?.cA === true && mayBeUsed(certificate, KEY_CERT_SIGN) && isStrong(certificate.key)
}

function isForClients(certificate: ReadCertificate): boolean {
  const usage = valueOf(certificate, EXTENDED_KEY_USAGE)
  if (valueOf(certificate, BASIC_CONSTRAINTS)?.cA === true) return false
  if (usage && !usage.keyPurposes.some((purpose) => FOR_CLIENTS.includes(purpose))) return false
  return mayBeUsed(certificate, DIGITAL_SIGNATURE)
}

/** A certificate without key usage may be used for everything. */
function mayBeUsed(certificate: ReadCertificate, bit: number): boolean {
  const usage = valueOf(certificate, KEY_USAGE)
  return usage === undefined || ((usage.valueBlock.valueHexView[0] ?? 0) & bit) === bit
}

function isStrong(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  return key.asymmetricKeyType === 'rsa' ? modulusLength >= MIN_RSA_BITS : CA_CURVES.has(namedCurve)
}

/** Each CA limits how many other CAs may be below it; self-issued ones do not count (RFC 5280 §4.2.1.9). */
function keepsLengths(cas: readonly ReadCertificate[]): boolean {
  return cas.every((ca, at) => {
    const length = valueOf(ca, BASIC_CONSTRAINTS)?.pathLenConstraint
    if (length === undefined) return true
    const below = cas.slice(0, at).filter(({ subjectHash, issuerHash }) => !subjectHash.equals(issuerHash))
    return typeof length === 'number' && below.length <= length
  })
}

/** The library unites the constraints of several CAs instead of intersecting them, and ignores some kinds of names. */
function constraintsOf(cas: readonly ReadCertificate[]): NameConstraints | 'refused' | undefined {
  const found = cas.flatMap((ca) => valueOf(ca, NAME_CONSTRAINTS) ?? [])
  const [only] = found
  const names = [...(only?.permittedSubtrees ?? []), ...(only?.excludedSubtrees ?? [])]
  return found.length > 1 || !names.every(isCompared) ? 'refused' : only
}

function isCompared({ base, minimum, maximum }: GeneralSubtree): boolean {
  return COMPARED_NAMES.has(base.type) && base.value !== '' && minimum === 0 && maximum === undefined
}

/** The library accepts a name that is not permitted beside one that is. */
function hasSeveralNamesOfAKind(certificate: ReadCertificate): boolean {
  const types = alternativeNames(certificate).map(({ type }) => type)
  return new Set(types).size !== types.length
}

/** Returns the subject alternative names of a certificate. */
export function alternativeNames(certificate: ReadCertificate): readonly GeneralName[] {
  const names = valueOf(certificate, SUBJECT_ALT_NAME)
  return names?.altNames ?? []
}

/** Extensions whose value cannot be read are refused by {@link isReadable}. */
function valueOf<Id extends keyof Values>({ parsed }: ReadCertificate, id: Id): Values[Id] | undefined {
  const value: unknown = parsed.extensions?.find(({ extnID }) => extnID === id)?.parsedValue
  return value as Values[Id] | undefined // the library makes the value of each extension
}
