import { SERIAL_PLACEHOLDER, type SERIAL_SOURCES } from '@bearing/contracts/identity/devices/device-ca'
import { DeviceSerial } from '@bearing/contracts/management/devices/device'
import type { ReadCertificate } from './read-certificate.js'
import { alternativeNames } from './verify-path.js'

const COMMON_NAME = '2.5.4.3'
const SERIAL_NUMBER = '2.5.4.5'
const DNS = 2
const URI = 6

/** Rule for finding the serial number of a device in its certificate. */
export interface SerialRule {
  readonly serialFrom: string
  readonly serialPattern: string
}

/** Returns the serial number; undefined if there is none, or more than one. */
export function serialIn(certificate: ReadCertificate, rule: SerialRule): string | undefined {
  const [before = '', after = ''] = rule.serialPattern.split(SERIAL_PLACEHOLDER)
  const serials = namesIn(certificate, rule.serialFrom as (typeof SERIAL_SOURCES)[number]) // written from the contract
    .filter((name) => name.length > before.length + after.length)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => name.slice(before.length, name.length - after.length))
  const [serial, another] = new Set(serials)
  return another === undefined && DeviceSerial.safeParse(serial).success ? serial : undefined
}

function namesIn(certificate: ReadCertificate, from: (typeof SERIAL_SOURCES)[number]): string[] {
  switch (from) {
    case 'subject_cn':
      return subjectNames(certificate, COMMON_NAME)
    case 'subject_serial_number':
      return subjectNames(certificate, SERIAL_NUMBER)
    case 'san_dns':
      return otherNames(certificate, DNS)
    case 'san_uri':
      return otherNames(certificate, URI)
  }
}

/** Returns the values of an attribute of the subject. */
export function subjectNames({ parsed }: ReadCertificate, type: string = COMMON_NAME): string[] {
  return parsed.subject.typesAndValues
    .filter((attribute) => attribute.type === type)
    .map(({ value }) => value.valueBlock.value)
}

function otherNames(certificate: ReadCertificate, kind: number): string[] {
  return alternativeNames(certificate)
    .filter(({ type }) => type === kind)
    .map(({ value }) => value as string) // of these two kinds
}
