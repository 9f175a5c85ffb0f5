import 'reflect-metadata'
import {
  caExtensions,
  issue,
  newCa,
  newKeys,
  type Different,
  type Issued,
} from '@bearing/testing/certificates'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import * as x509 from '@peculiar/x509'
import { readCertificate, type ReadCertificate } from './read-certificate.js'
import { isCa, isIssuedBy, leadsTo } from './verify-path.js'

const { KeyUsageFlags } = x509
const HOUR_MS = 3_600_000
const NOW = new Date()
const CLIENT = '1.3.6.1.5.5.7.3.2'
const SERVER = '1.3.6.1.5.5.7.3.1'

function read({ der }: Issued): ReadCertificate {
  const certificate = readCertificate(der)
  if (!certificate) throw new Error('the certificate cannot be read')
  return certificate
}

const leads = (path: readonly Issued[], anchor: Issued, at = NOW) => leadsTo(path.map(read), read(anchor), at)

/** Name constraints as the library writes them: permitted, then excluded subtrees of DNS names. */
function nameConstraints(permitted: readonly string[], excluded: readonly string[] = []): x509.Extension {
  const subtrees = (tag: number, names: readonly string[]) => {
    const of = names.map((name) => tlv(0x30, tlv(0x82, Buffer.from(name))))
    return names.length === 0 ? Buffer.alloc(0) : tlv(tag, Buffer.concat(of))
  }
  const value = tlv(0x30, Buffer.concat([subtrees(0xa0, permitted), subtrees(0xa1, excluded)]))
  return new x509.Extension('2.5.29.30', true, value)
}

function tlv(tag: number, value: Buffer): Buffer {
  if (value.length > 127) throw new Error('too long for a test')
  return Buffer.concat([Buffer.from([tag, value.length]), value])
}

const dns = (...names: string[]) =>
  new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))

describe('a path from a device to a CA', () => {
  const root = forSuite(() => newCa('CN=Root'))
  const intermediate = forSuite(() => issue(root, 'CN=Intermediate', { extensions: caExtensions() }))
  const leafOf = (issuer: Issued, different: Different = {}) => issue(issuer, 'CN=DEVICE-1', different)

  it('is accepted directly, over an intermediate CA, and up to an intermediate CA that is trusted itself', async () => {
    expect(await leads([await leafOf(root)], root)).toBe(true)
    expect(await leads([await leafOf(intermediate), intermediate], root)).toBe(true)
    expect(await leads([await leafOf(intermediate)], intermediate)).toBe(true)
  })

  it('is accepted with usages for clients', async () => {
    const extensions = [
      new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([CLIENT]),
    ]
    expect(await leads([await leafOf(root, { extensions })], root)).toBe(true)
  })

  it('is accepted from a CA with RSA, and refused if that has fewer than 2,048 bits', async () => {
    const rsa = (modulusLength: number) =>
      newKeys({
        ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength },
        publicExponent: new Uint8Array([1, 0, 1]),
      })
    const strong = await newCa('CN=RSA', { keys: await rsa(2_048) })
    expect(await leads([await leafOf(strong)], strong)).toBe(true)
    const weak = await newCa('CN=Weak', { keys: await rsa(1_024) })
    expect(await leads([await leafOf(weak)], weak)).toBe(false)
    expect(isCa(read(weak), NOW)).toBe(false)
  })

  describe('is refused if', () => {
    it('another CA with the same subject has issued the certificate', async () => {
      const foreign = await newCa('CN=Root')
      const leaf = await leafOf(foreign)
      expect(isIssuedBy(read(leaf), read(root))).toBe(false)
      expect(await leads([leaf], root)).toBe(false)
    })

    it('a certificate is signed by another key than its issuer has', async () => {
      const leaf = await leafOf(intermediate, { signedWith: await newKeys() })
      expect(await leads([leaf, intermediate], root)).toBe(false)
    })

    it.each([
      ['the certificate of the device has expired', 'leaf', { notAfter: new Date(NOW.getTime() - 1_000) }],
      [
        'the certificate of the device is not valid yet',
        'leaf',
        { notBefore: new Date(NOW.getTime() + 60_000) },
      ],
      ['an intermediate CA has expired', 'between', { notAfter: new Date(NOW.getTime() - 1_000) }],
      ['the CA has expired', 'anchor', { notAfter: new Date(NOW.getTime() - 1_000) }],
    ] as const)('%s', async (_, where, different) => {
      const at = (one: string) => (one === where ? different : {})
      const ca = await newCa('CN=Ended', at('anchor'))
      const between = await issue(ca, 'CN=Between', { extensions: caExtensions(), ...at('between') })
      expect(await leads([await leafOf(between, at('leaf')), between], ca)).toBe(false)
    })

    it.each([
      ['has no basic constraints', []],
      ['is no CA by its basic constraints', [new x509.BasicConstraintsExtension(false, undefined, true)]],
      ['may not sign certificates', caExtensions(undefined, KeyUsageFlags.digitalSignature)],
      ['has an unknown critical extension', [...caExtensions(), unknownExtension()]],
      ['has an extension twice', [...caExtensions(), ...caExtensions()]],
    ])('an intermediate certificate %s', async (_, extensions) => {
      const between = await issue(root, 'CN=Between', { extensions })
      expect(await leads([await leafOf(between), between], root)).toBe(false)
    })

    it('a device has issued it with the certificate that it has', async () => {
      const device = await leafOf(root)
      expect(await leads([await issue(device, 'CN=DEVICE-2'), device], root)).toBe(false)
    })

    it('more CAs are below a CA than its path length allows, also that of the trusted CA', async () => {
      const zero = await issue(root, 'CN=Zero', { extensions: caExtensions(0) })
      const below = await issue(zero, 'CN=Below', { extensions: caExtensions() })
      expect(await leads([await leafOf(zero), zero], root)).toBe(true)
      expect(await leads([await leafOf(below), below, zero], root)).toBe(false)
      expect(await leads([await leafOf(below), below], zero)).toBe(false)
    })

    it.each([
      ['is for servers only', [new x509.ExtendedKeyUsageExtension([SERVER])]],
      ['may not sign', [new x509.KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true)]],
      ['is that of a CA', caExtensions()],
      ['has an unknown critical extension', [unknownExtension()]],
    ])('the certificate of the device %s', async (_, extensions) => {
      expect(await leads([await leafOf(root, { extensions })], root)).toBe(false)
    })

    it('a name is outside of the permitted names, or excluded, also beside one that is permitted', async () => {
      const permitting = await newCa('CN=Permitting', {
        extensions: [...caExtensions(), nameConstraints(['devices.example.com'])],
      })
      const named = async (ca: Issued, ...names: string[]) =>
        leads([await leafOf(ca, { extensions: [dns(...names)] })], ca)
      expect(await named(permitting, 'a.devices.example.com')).toBe(true)
      expect(await named(permitting, 'a.example.com')).toBe(false)
      expect(await named(permitting, 'a.devices.example.com', 'a.example.com')).toBe(false)
      const excluding = await issue(root, 'CN=Excluding', {
        extensions: [...caExtensions(), nameConstraints([], ['secret.example.com'])],
      })
      const below = async (name: string) =>
        leads([await leafOf(excluding, { extensions: [dns(name)] }), excluding], root)
      expect(await below('a.example.com')).toBe(true)
      expect(await below('a.secret.example.com')).toBe(false)
    })

    it('several CAs constrain names: their constraints are not intersected', async () => {
      const outer = await newCa('CN=Outer', {
        extensions: [...caExtensions(), nameConstraints(['a.example.com'])],
      })
      const inner = await issue(outer, 'CN=Inner', {
        extensions: [...caExtensions(), nameConstraints(['b.example.com'])],
      })
      const leaf = await leafOf(inner, { extensions: [dns('x.b.example.com')] })
      expect(await leads([leaf, inner], outer)).toBe(false)
    })

    it('it is a circle, without following it', async () => {
      const [first, second] = [await newKeys(), await newKeys()]
      const one = await newCa('CN=One', { keys: first })
      const two = await issue(one, 'CN=Two', { keys: second, extensions: caExtensions() })
      const oneByTwo = await issue(two, 'CN=One', { keys: first, extensions: caExtensions() })
      expect(await leads([await leafOf(two), two, oneByTwo, two, oneByTwo], root)).toBe(false)
      expect(await leads([await leafOf(two), two, oneByTwo], root)).toBe(false)
    })

    it('it names a valid certificate of another device beside its own', async () => {
      const valid = await leafOf(root)
      const own = await leafOf(await newCa('CN=Root'))
      expect(await leads([own, valid], root)).toBe(false)
      expect(await leads([own, valid, own], root)).toBe(false)
    })

    it('its end is before the moment at which it is asked', async () => {
      const leaf = await leafOf(root)
      expect(await leads([leaf], root, new Date(NOW.getTime() + 2 * HOUR_MS))).toBe(false)
    })
  })
})

function unknownExtension(): x509.Extension {
  return new x509.Extension('1.3.6.1.4.1.99999.1', true, Buffer.from([0x05, 0x00]))
}

describe('text of a certificate', () => {
  it('is refused if it is cut off, has more behind it, or is two certificates', async () => {
    const { der, pem } = await newCa()
    expect(readCertificate(der)).toBeDefined()
    expect(readCertificate(der.subarray(0, -1))).toBeUndefined()
    expect(readCertificate(Buffer.concat([der, Buffer.from([0])]))).toBeUndefined()
    expect(readCertificate(pem + pem)).toBeUndefined()
    expect(readCertificate('')).toBeUndefined()
  })
})
