import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CallInput, CallOutput, ListInput, ListItem, ListName } from '@bearing/client/call-types'
import type { RouteName } from '@bearing/contracts/routes'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../../session/session.js'
import type { ExportFolder } from './export-folder.js'

/** Fields that may contain a secret. No list or show operation returns one; this protects against later versions that do. */
const SECRET = /(?:^|_)(?:secret|password|token|api_key|private_key)s?$/

/** Returns a copy of a configuration without texts in fields that are named like secrets. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !(SECRET.test(name) && typeof field === 'string'))
      .map(([name, field]) => [name, withoutSecrets(field)]),
  )
}

/** Returns the origin of a webhook's URL: its path and query often contain a secret. */
function originOnly(url: string): string {
  return URL.parse(url)?.origin ?? ''
}

/** Returns a URL without its query and user information. */
function withoutQuery(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && parsed.origin + parsed.pathname
}

/** Items of a page. */
const PER_PAGE = 1_000

/** A file of an export: one JSON object, or one JSON object on each line. */
export type Part =
  | { readonly path: string; readonly object: () => Promise<unknown> }
  | { readonly path: string; readonly rows: () => AsyncIterable<unknown> }

/** Reads the parts of an export through the API: at most one page is in memory. */
export class ExportParts {
  constructor(
    private readonly session: Session,
    private readonly organization: string,
    private readonly signal: AbortSignal,
  ) {}

  ofOrganization(): Part[] {
    const { organization } = this
    return [
      this.object('organization.json', 'showOrganization', { organization }),
      this.list('projects.ndjson', 'listProjects', { organization }),
      this.list('members.ndjson', 'listMembers', { organization }),
      this.list('invitations.ndjson', 'listInvitations', { organization }),
      this.list('organization-tokens.ndjson', 'listOrganizationTokens', { organization }),
      this.object('organization-token-policy.json', 'showOrganizationTokenPolicy', { organization }),
      this.list('legacy-tokens.ndjson', 'listLegacyTokens', { organization }),
      this.object('sign-in-policy.json', 'showSignInPolicy', { organization }),
      this.list('sso-connections.ndjson', 'listSsoConnections', { organization }),
      this.list('sso-domains.ndjson', 'listSsoDomains', { organization }),
      this.list('partner-links.ndjson', 'listPartnerLinks', { organization }),
      this.object('location-settings.json', 'showLocationSettings', { organization }),
      this.object('location-fallback.json', 'showLocationFallback', { organization }, (fallback) => ({
        ...fallback,
        url: withoutQuery(fallback.url),
      })),
      {
        path: 'access-points.ndjson',
        rows: () => this.session.client.stream('exportAccessPoints', { organization }),
      },
      { path: 'cells.ndjson', rows: () => this.session.client.stream('exportCells', { organization }) },
    ]
  }

  /** @param folder in which the devices of the project are written before its positions */
  ofProject(project: string, folder: ExportFolder): Part[] {
    const scope = { organization: this.organization, project }
    const at = (file: string) => `projects/${project}/${file}`
    return [
      this.object(at('settings.json'), 'showProjectSettings', scope),
      this.list(at('members.ndjson'), 'listProjectMembers', scope),
      this.object(at('data-policy.json'), 'showDataPolicy', scope),
      this.object(at('position-policy.json'), 'showPositionPolicy', scope),
      this.list(at('webhooks.ndjson'), 'listWebhooks', scope, (webhook) => ({
        ...webhook,
        url: originOnly(webhook.url),
      })),
      { path: at('devices.ndjson'), rows: () => this.devices(scope) },
      this.list(at('files.ndjson'), 'listFiles', scope),
      {
        path: at('positions.ndjson'),
        rows: () => this.positions(scope, folder.pathOf(at('devices.ndjson'))),
      },
    ]
  }

  private object<Name extends RouteName>(
    path: string,
    name: Name,
    input: CallInput<Name>,
    convert: (found: CallOutput<Name>) => unknown = (found) => found,
  ): Part {
    return { path, object: async () => withoutSecrets(convert(await this.call(name, input))) }
  }

  private list<Name extends ListName>(
    path: string,
    name: Name,
    input: ListInput<Name>,
    convert: (item: ListItem<Name>) => unknown = (item) => item,
  ): Part {
    const read = () => this.pages(name, input)
    async function* rows() {
      for await (const item of read()) yield withoutSecrets(convert(item as ListItem<Name>)) // of this list
    }
    return { path, rows }
  }

  private async *pages<Name extends ListName>(name: Name, input: ListInput<Name>): AsyncGenerator {
    for (let page = 1; ; page++) {
      // The rest of the input of a list is that of the call; the compiler does not see it through Omit.
      const request = { ...input, page, per_page: PER_PAGE } as unknown as CallInput<Name>
      const { data, paging } = await this.call(name, request)
      yield* data
      if (page >= paging.page_count || data.length === 0) return
    }
  }

  private async *devices(scope: { organization: string; project: string }): AsyncGenerator {
    let cursor: string | undefined
    do {
      const request = { ...scope, per_page: PER_PAGE, with: 'attributes' as const }
      const found = await this.call('listDevices', { ...request, ...(cursor !== undefined && { cursor }) })
      yield* found.data
      cursor = found.next ?? undefined
    } while (cursor !== undefined)
  }

  /** Positions of each device, if the project stores positions. */
  private async *positions(
    scope: { organization: string; project: string },
    devices: string,
  ): AsyncGenerator {
    const policy = await this.call('showPositionPolicy', scope)
    if (!policy.store_positions) return
    for await (const line of createInterface({ input: createReadStream(devices) })) {
      const { device_serial } = JSON.parse(line) as { device_serial: string } // a line of `devices`
      for await (const position of this.pages('listDevicePositions', { ...scope, device_serial }))
        yield { device_serial, ...(position as object) } // an item of the list
    }
  }

  private call<Name extends RouteName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    return retryTransient(this.signal, () => this.session.client.call(name, input))
  }
}
