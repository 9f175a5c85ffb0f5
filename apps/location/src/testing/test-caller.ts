import { createUser, grantMembership, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import {
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from '@bearing/contracts/location/access-points/access-point-import'
import { audienceOf, type Operation, type Output, type Request } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { SERVICES } from '@bearing/testing/addresses'
import { ScopedClaims } from '@bearing/testing/scoped-claims'
import { v7 } from 'uuid'

// For specs: calls the running services over NATS, with claims that the real identity service has signed.

export interface Caller {
  /** The organization they belong to; null for the operator, who owns the base layer. */
  readonly organizationId: string | null
  call<O extends Operation>(operation: O, request: Request<O>): Promise<Output<O>>
}

/** An admin of an organization. */
export interface Organization extends Caller {
  readonly organizationId: string
  readonly email: string
}

type Rows = NonNullable<Request<typeof appendToImport>['rows']>
type Content = Request<typeof beginImport>['content']
export type ShownImport = Output<typeof showImport>

/** Opens a connection to the services, and makes callers. */
export class Callers {
  private readonly users = new Map<string, string>()

  private constructor(
    private readonly connection: Connection,
    private readonly client: NatsClient,
    /** A service: may do everything about access points, and is nobody's. */
    readonly operator: Caller,
  ) {}

  static async open(natsUrl: string): Promise<Callers> {
    const connection = await connectNats({ url: natsUrl, name: 'location-spec' })
    const client = new NatsClient(connection)
    const issue = (audience: string) =>
      renewed(async () => (await client.call(issueServiceClaims, { name: 'operator', audience })).claims)
    const claims = new Map(SERVICES.map((audience) => [audience as string, issue(audience)]))
    const operator: Caller = {
      organizationId: null,
      call: async (operation, request) =>
        client.call(operation, request, { claims: await claims.get(audienceOf(operation))?.() }),
    }
    return new Callers(connection, client, operator)
  }

  /**
   * Returns an admin of an organization that nobody else belongs to.
   *
   * @param admin of another organization, who is the admin of this one too (default: a new user)
   */
  async newOrganization(admin?: { readonly email: string }): Promise<Organization> {
    const organizationId = v7()
    const email = admin?.email ?? `${organizationId}@example.com`
    const secret = 'a good password'
    const user_id = admin ? this.users.get(email) : await this.newUser(email, secret)
    if (user_id === undefined) throw new Error('nobody has made this user')
    await this.operator.call(grantMembership, { organization_id: organizationId, user_id, role: 'admin' })
    const scoped = new ScopedClaims(this.client)
    const claims = renewed(() => scoped.of({ kind: 'user', email, secret }))
    await claims()
    return {
      organizationId,
      email,
      call: async (operation, request) =>
        this.client.call(operation, request, { claims: scoped.for(await claims(), operation, request) }),
    }
  }

  private async newUser(email: string, password: string): Promise<string> {
    const { user_id } = await this.operator.call(createUser, { email, password })
    this.users.set(email, user_id)
    return user_id
  }

  async close(): Promise<void> {
    await this.connection.drain()
  }
}

/** Claims end after a minute, which a spec on a busy machine may take: they are asked for again after half of it. */
function renewed(ask: () => Promise<string>): () => Promise<string> {
  let known = { claims: '', atMs: -Infinity }
  return async () => {
    if (performance.now() - known.atMs > 30_000) known = { claims: await ask(), atMs: performance.now() }
    return known.claims
  }
}

/** Begins an import into the caller's layer. Imports with the same `name` have the same content. */
export function begin(caller: Caller, content: Content, name: string): Promise<ShownImport> {
  const digest = Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)
  return caller.call(beginImport, { organization_id: caller.organizationId, content, digest })
}

export function append(caller: Caller, id: string, batch: number, rows: Rows): Promise<{ rows: number }> {
  return caller.call(appendToImport, { organization_id: caller.organizationId, import_id: id, batch, rows })
}

export function commit(caller: Caller, id: string, batches: number, rows: number): Promise<ShownImport> {
  return caller.call(commitImport, { organization_id: caller.organizationId, import_id: id, batches, rows })
}

export function show(caller: Caller, id: string): Promise<ShownImport> {
  return caller.call(showImport, { organization_id: caller.organizationId, import_id: id })
}

/** Imports rows, and waits until they are visible. */
export async function importAll(caller: Caller, content: Content, rows: Rows): Promise<ShownImport> {
  const begun = await begin(caller, content, v7())
  await append(caller, begun.id, 0, rows)
  let shown = await commit(caller, begun.id, 1, rows.length)
  while (shown.state === 'committing') shown = await show(caller, begun.id)
  return shown
}
