import { randomBytes, randomUUID } from 'node:crypto'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { createUser, grantMembership, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { createOrganization } from '@bearing/contracts/management/tenancy/organization'
import { audienceOf, type Operation, type Output, type Request } from '@bearing/contracts/operation'
import type { OrganizationRole, ProjectRole } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { ObjectStore } from '@bearing/nats/object-store'
import { Readings } from '@bearing/service/audit/readings'
import { Clock } from '@bearing/service/ground/clock'
import { systemRandomness } from '@bearing/service/ground/randomness'
import type { StackAddresses } from '@bearing/testing/addresses'
import { ScopedClaims } from '@bearing/testing/scoped-claims'
import { testStack } from '@bearing/testing/stack'
import { Database } from '../ground/database.js'
import { JetStreamStorage } from '../storage/jetstream-storage.js'
import { recordAudit } from '../ground/record-audit.js'
import { ChunkPayloads } from '../storage/payloads/chunk-payloads.js'
import { Storages } from '../storage/storage.js'

/** A user, and signed claims about them as they are now. */
export interface TestUser {
  readonly id: string
  readonly email: string
  readonly claims: () => Promise<string>
}

/** Calls running services over NATS, as the gateway does, and looks into management's tables. */
export class TestManagement {
  private readonly scoped: ScopedClaims
  /** Payloads of chunks, in their rows. */
  readonly payloads: ChunkPayloads
  readonly readings: Readings<AuditAction<'management'>>

  private constructor(
    readonly connection: Connection,
    readonly client: NatsClient,
    readonly database: Database,
  ) {
    this.scoped = new ScopedClaims(client)
    this.readings = new Readings(
      (by, event) =>
        database.transaction((transaction) => Promise.resolve(recordAudit(transaction, by, event))),
      new Clock(Date.now),
    )
    const storage = new JetStreamStorage(new ObjectStore(connection))
    this.payloads = new ChunkPayloads(
      database,
      new Storages(storage, [storage]),
      new Clock(Date.now),
      systemRandomness(),
      { warn: () => undefined } as never, // all that is said
    )
  }

  /** @param stack default: the shared one */
  static async connect(stack: StackAddresses = testStack()): Promise<TestManagement> {
    const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    return new TestManagement(
      connection,
      new NatsClient(connection),
      new Database(stack.databaseUrls.management, 2),
    )
  }

  async close(): Promise<void> {
    await this.database.$disconnect()
    await this.connection.drain()
  }

  call<O extends Operation>(operation: O, request: Request<O>, claims?: string): Promise<Output<O>> {
    return this.client.call(operation, request, {
      claims: claims && this.scoped.for(claims, operation, request),
    })
  }

  /** Returns signed claims about the holder of a credential. */
  async claimsOf(credential: PresentedCredential): Promise<string> {
    return this.scoped.of(credential)
  }

  /** Makes a user who belongs to no organization. */
  async newUser(): Promise<TestUser> {
    const email = `${randomUUID()}@example.com`
    const password = randomBytes(12).toString('base64')
    const { user_id: id } = await this.callAsOperator(createUser, { email, password })
    return { id, email, claims: () => this.claimsOf({ kind: 'user', email, secret: password }) }
  }

  async newOrganization(): Promise<Output<typeof createOrganization> & { readonly admin: TestUser }> {
    const admin = await this.newUser()
    const slug = `org-${randomUUID()}`
    return { ...(await this.call(createOrganization, { name: slug, slug }, await admin.claims())), admin }
  }

  /** Makes a user with a place in an organization. */
  async newMember(
    organizationId: string,
    role: OrganizationRole,
    projects: { project_id: string; role: ProjectRole }[] = [],
  ): Promise<TestUser> {
    const user = await this.newUser()
    await this.callAsOperator(grantMembership, {
      organization_id: organizationId,
      user_id: user.id,
      role,
      projects,
    })
    return user
  }

  async callAsOperator<O extends Operation>(operation: O, request: Request<O>): Promise<Output<O>> {
    const audience = audienceOf(operation)
    const { claims } = await this.call(issueServiceClaims, { name: 'operator', audience })
    return this.call(operation, request, claims)
  }
}
