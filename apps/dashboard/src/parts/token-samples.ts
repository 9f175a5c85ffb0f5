import { quoted } from './command.js'
import type { ScannedAccessPoint } from './sample-scan.js'

const WITH_TOKEN = 'curl --header "Authorization: Bearer $BEARING_ORG_TOKEN"'

/** Lists the projects. The token needs `project:list`. */
export function listProjectsCommand(url: string, organization: string): string {
  return `${WITH_TOKEN} \\\n  ${url}/api/v0/organizations/${organization}/projects`
}

/** Shows what the token is and may do. Every token may ask that, and it needs no access points. */
export function checkTokenCommand(url: string): string {
  return `${WITH_TOKEN} ${url}/auth/me`
}

/** Asks for the position of a scan. The token needs `location:resolve`. */
export function locateCommand(
  url: string,
  { organization, project }: { readonly organization: string; readonly project: string },
  accessPoints: readonly ScannedAccessPoint[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const body = JSON.stringify({ ...more, accessPoints })
  return [
    `${WITH_TOKEN} --header 'Content-Type: application/json'`,
    `--data ${quoted(body)}`,
    `${url}/v1/organizations/${organization}/projects/${project}/location/wifi`,
  ].join(' \\\n  ')
}
