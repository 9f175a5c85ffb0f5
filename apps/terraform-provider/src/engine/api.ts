import { randomUUID } from 'node:crypto'
import type { ListName } from '@bearing/client/call-types'
import type { BearingClient } from '@bearing/client/client'
import { ProblemError, UnreachableError } from '@bearing/client/errors'
import { retryTransient } from '@bearing/client/retry-transient'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import type { Value, Values } from '../wire/value.js'
import { parametersOf } from '../schema/attributes.js'

const CHANGES_PROJECTS = /^(create|rename|delete)Project$/

/** The server checks the input of a list. */
type PageInput = Parameters<BearingClient['listAll']>[1]

/** A call that may have been carried out, and cannot be repeated. */
class LostReplyError extends Error {
  constructor(cause: UnreachableError) {
    super(`${cause.message} It may have been created: if the next apply says that it exists, import it.`)
  }
}

/** The projects of the organization, read once for many operations. */
export interface Projects {
  listed?: Promise<readonly Values[]> | undefined
}

/** Calls the API for one organization: finds slugs of projects, and retries while the server is busy. */
export class Api {
  constructor(
    private readonly client: BearingClient,
    private readonly organization: string,
    private readonly projects: Projects,
    private readonly signal: AbortSignal,
  ) {}

  /** @param options `isRepeatable`: whether a call whose reply was lost can be sent again (default: unless it creates) */
  async call(
    name: RouteName,
    input: Values,
    options: { readonly isRepeatable?: boolean } = {},
  ): Promise<Values> {
    const route: Route = ROUTES[name]
    const sent = await this.withSlugs(name, input)
    const isRepeatable = options.isRepeatable ?? (route.idempotencyKey || route.method !== 'POST')
    const idempotencyKey = route.idempotencyKey ? randomUUID() : undefined
    const attempt = async () => {
      try {
        return await this.client.call(name, sent, {
          idempotencyKey,
          signal: this.signal,
        })
      } catch (error) {
        throw !isRepeatable && error instanceof UnreachableError ? new LostReplyError(error) : error
      }
    }
    const output = await retryTransient(this.signal, attempt)
    if (CHANGES_PROJECTS.test(name)) this.projects.listed = undefined
    return output as unknown as Values // JSON
  }

  /** Reads a list to its end. */
  async list(name: ListName, input: Values): Promise<readonly Values[]> {
    const sent = await this.withSlugs(name, input)
    const options = { signal: this.signal }
    const items = await retryTransient(this.signal, () =>
      this.client.listAll(name, sent as unknown as PageInput, options),
    )
    return items as unknown as readonly Values[] // JSON
  }

  /** @throws ProblemError if there is none */
  async projectId(idOrSlug: Value): Promise<Value> {
    return (await this.project(idOrSlug))['id'] ?? null
  }

  private async withSlugs(name: RouteName, { project_id, ...input }: Values): Promise<Values> {
    const needsProject = parametersOf(name).includes('project') && project_id !== undefined
    const project = needsProject ? { project: (await this.project(project_id))['slug'] ?? null } : {}
    return { ...input, ...project, organization: this.organization }
  }

  private async project(idOrSlug: Value): Promise<Values> {
    const find = async () =>
      (await this.listed()).find(({ id, slug }) => idOrSlug === id || idOrSlug === slug)
    const found = await find()
    if (found) return found
    // Created a moment ago, by this run or another program.
    this.projects.listed = undefined
    const project = await find()
    if (project) return project
    const detail = `There is no project ${JSON.stringify(idOrSlug)} that the credential may see.`
    throw new ProblemError({
      status: 404,
      code: 'project_not_found',
      title: 'Project not found',
      detail,
      mistakes: [],
    })
  }

  private listed(): Promise<readonly Values[]> {
    this.projects.listed ??= this.list('listProjects', {})
    return this.projects.listed
  }
}
