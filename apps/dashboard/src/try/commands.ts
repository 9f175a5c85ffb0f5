import { quoted } from '../parts/command.js'
import type { ParsedScan } from './parse-scan.js'

/** Access points that fit on a command line. */
const MOST_FLAGS = 8

interface Place {
  readonly url: string
  readonly organization: string
  readonly project: string
}

const EXAMPLES = [
  { macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -67 },
  { macAddress: '00:1a:2b:3c:4d:60', signalStrength: -71 },
]

/** Returns the same request on the command line and as a curl line. */
export function commandsFor(
  scan: ParsedScan | undefined,
  { url, organization, project }: Place,
): { readonly bearing: string; readonly curl: string } {
  const body = scan?.body ?? { accessPoints: EXAMPLES }
  const received = scan ? scan.accessPoints : EXAMPLES
  const json = JSON.stringify(body)
  const isPlain = Object.keys(body).length === 1 && received.length > 0
  const bearing = `bearing --url ${url} --org ${organization} --project ${project} locate --explain`
  const flags = received.map(
    ({ macAddress, signalStrength }) =>
      `--ap ${quoted(signalStrength === undefined ? macAddress : `${macAddress}=${String(signalStrength)}`)}`,
  )
  const path = `${url}/v1/organizations/${organization}/projects/${project}/location`
  return {
    bearing:
      isPlain && received.length <= MOST_FLAGS
        ? [bearing, ...flags].join(' \\\n  ')
        : `echo ${quoted(json)} |\n  ${bearing} -`,
    curl: [
      `curl ${path}/${isPlain ? 'wifi' : 'ground-fix'}`,
      `-H "Authorization: Bearer $BEARING_ORG_TOKEN"`,
      `-H "Content-Type: application/json"`,
      `-d ${quoted(json)}`,
    ].join(' \\\n  '),
  }
}
