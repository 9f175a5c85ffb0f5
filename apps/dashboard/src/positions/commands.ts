import { quoted } from '../parts/command.js'
import type { ParsedScan } from './parse-scan.js'

/** Access points that fit on a command line. */
const MOST_FLAGS = 8

interface Place {
  readonly url: string
  readonly organization: string
  readonly project: string
}

/** Returns the same request on the command line and as a curl line. */
export function commandsFor(
  body: ParsedScan['body'],
  { url, organization, project }: Place,
): { readonly bearing: string; readonly curl: string } {
  const { accessPoints: received, ...rest } = body
  const accessPoints: readonly unknown[] = Array.isArray(received) ? received : []
  const json = JSON.stringify(body)
  const isWifi = accessPoints.length > 0 && Object.keys(rest).length === 0
  const bearing = `bearing --org ${organization} --project ${project} locate --explain`
  const flags = accessPoints.flatMap(flagOf)
  const path = `${url}/v1/organizations/${organization}/projects/${project}/location`
  return {
    bearing:
      isWifi && flags.length === accessPoints.length && flags.length <= MOST_FLAGS
        ? [bearing, ...flags].join(' \\\n  ')
        : `echo ${quoted(json)} |\n  ${bearing} -`,
    curl: [
      `curl ${path}/${isWifi ? 'wifi' : 'ground-fix'}`,
      `-H "Authorization: Bearer $BEARING_ORG_TOKEN"`,
      `-H "Content-Type: application/json"`,
      `-d ${quoted(json)}`,
    ].join(' \\\n  '),
  }
}

/** Returns an access point as a flag; none if it has a field that the flag has no place for. */
function flagOf(accessPoint: unknown): string[] {
  if (typeof accessPoint !== 'object' || accessPoint === null) return []
  const { macAddress, signalStrength, age, ...rest } = accessPoint as Readonly<Record<string, unknown>>
  if (typeof macAddress !== 'string' || Object.keys(rest).length > 0) return []
  if (signalStrength === undefined && age === undefined) return [`--ap ${quoted(macAddress)}`]
  if (typeof signalStrength !== 'number' || !['number', 'undefined'].includes(typeof age)) return []
  const since = typeof age === 'number' ? `@${String(age)}` : ''
  return [`--ap ${quoted(`${macAddress}=${String(signalStrength)}${since}`)}`]
}
