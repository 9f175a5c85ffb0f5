import type { AskedFor } from '@bearing/client-nats/credential-cache'
import { RemoteCache, type CacheFigures } from '@bearing/client-nats/remote-cache'
import {
  organizationDeleted,
  organizationErased,
  organizationRestored,
  projectDeleted,
  projectErased,
  projectRestored,
} from '@bearing/contracts/management/tenancy/deletion'
import { organizationChanged } from '@bearing/contracts/management/tenancy/organization'
import { projectChanged } from '@bearing/contracts/management/tenancy/project'
import { findOnlyProject, resolveScope } from '@bearing/contracts/management/tenancy/scope'
import { Slug } from '@bearing/contracts/primitives'
import { NatsClient } from '@bearing/nats/client'
import { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'

/** The ids of an organization and a project; null if there is none. */
export interface Scope {
  readonly organization_id: string | null
  readonly project_id: string | null
}

const NO_SCOPE: Scope = { organization_id: null, project_id: null }
const MAX_CACHED = 50_000
/** Lifetime of cached ids, in milliseconds: a former slug is refused after this time even if the event of the rename was missed. */
const FRESH_MS = 30_000

interface Resolved extends Scope {
  readonly exists: boolean
}

/** The slugs of a path, as the client sent them. */
export interface Slugs {
  readonly organization: string
  readonly project: string | undefined
}

/** Resolves slugs to ids. Caches only slugs that exist, so a new organization or project can be used immediately. */
@Injectable()
export class ScopeResolver {
  private readonly scopes = new RemoteCache<Resolved>({
    maxEntries: MAX_CACHED,
    freshMs: ({ exists }) => (exists ? FRESH_MS : 0),
    tagsOf: ({ organization_id, project_id }) => [organization_id, project_id].filter((id) => id !== null),
  })

  private readonly onlyProjects = new RemoteCache<{ readonly project_id: string | null }>({
    maxEntries: MAX_CACHED,
    freshMs: ({ project_id }) => (project_id === null ? 0 : FRESH_MS),
  })

  constructor(
    private readonly client: NatsClient,
    connection: Connection,
    @Inject(LOGGER) logger: Logger,
  ) {
    const failed = warnSeldom(logger, 'an event about organizations or projects cannot be read')
    const missed = () => {
      this.scopes.clear()
      this.onlyProjects.clear()
    }
    const unreadable = (error: unknown) => {
      missed()
      failed(error)
    }
    for (const event of [organizationChanged, organizationDeleted, organizationRestored, organizationErased])
      onEvent(
        connection,
        event,
        ({ organization_id }) => {
          this.scopes.invalidate([organization_id])
          this.onlyProjects.clear()
        },
        unreadable,
        missed,
      )
    for (const event of [projectChanged, projectDeleted, projectRestored, projectErased])
      onEvent(
        connection,
        event,
        ({ project_id }) => {
          this.scopes.invalidate([project_id])
          this.onlyProjects.clear()
        },
        unreadable,
        missed,
      )
  }

  get figures(): CacheFigures {
    return this.scopes.figures
  }

  /**
   * Returns the cached ids of slugs. The caller of a request must not learn anything from them, not even how fast they
   * were found, unless it is authorized to know that they exist.
   */
  cached(slugs: Slugs): Scope | undefined {
    return this.scopes.recall(keyOf(slugs))
  }

  /**
   * Returns the project of an organization that has one.
   *
   * @throws OperationError (status 503) if management does not respond
   */
  async onlyProject(organization_id: string, askedFor: AskedFor): Promise<string | null> {
    const fetch = () => this.client.call(findOnlyProject, { organization_id }, askedFor)
    return (await this.onlyProjects.get(organization_id, fetch)).project_id
  }

  /**
   * Asks management for the ids of slugs: one call, whether they exist or not.
   *
   * @param askedFor the request that needs them
   * @throws OperationError (status 503) if management does not respond
   */
  async resolve(slugs: Slugs, askedFor: AskedFor): Promise<Scope> {
    const { organization, project } = slugs
    if (!isSlug(organization)) return NO_SCOPE
    if (project !== undefined && !isSlug(project))
      return { ...(await this.resolve({ organization, project: undefined }, askedFor)), project_id: null }
    const fetch = async () => {
      const input = { organization, ...(project !== undefined && { project }) }
      const scope = await this.client.call(resolveScope, input, askedFor)
      const exists = scope.organization_id !== null && (project === undefined || scope.project_id !== null)
      return { ...scope, exists }
    }
    // Always its own call: how long it takes must not depend on what others have looked up.
    return this.scopes.get(keyOf(slugs), fetch, { fresh: true })
  }
}

/** Slugs are checked after the lookup, so they may contain anything: no two pairs share a key. */
function keyOf({ organization, project }: Slugs): string {
  return project === undefined
    ? `/${organization}`
    : `${String(organization.length)}/${organization}/${project}`
}

function isSlug(text: string): boolean {
  return Slug.safeParse(text).success
}
