import { randomBytes, randomUUID } from 'node:crypto'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { authorizeCredential, introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { createUser, addFirstAdmin, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection } from '@bearing/nats/connection'
import type { StackAddresses } from '@bearing/testing/addresses'
import { ScopedClaims } from '@bearing/testing/scoped-claims'
import { testStack } from '@bearing/testing/stack'
import { Database } from '../ground/database.js'

/** A user, and signed claims about them. */
export interface TestUser {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly claims: string
}

/** The admin of a new organization. Their claims know of it. */
export interface TestAdmin extends TestUser {
  readonly organizationId: string
}

/** Largest age of claims that are used again, in milliseconds: they are good for a minute. */
const RENEW_MS = 30_000

/** Claims, and whose they are. */
interface Signed {
  readonly credential: PresentedCredential
  claims: string
  atMs: number
}

/** Calls a running identity service over NATS, as the gateway does, and looks into its tables. */
export class TestIdentity {
  private readonly signed = new Map<string, Signed>()
  private readonly scoped: ScopedClaims

  private constructor(
    readonly connection: Connection,
    readonly client: NatsClient,
    readonly database: Database,
  ) {
    this.scoped = new ScopedClaims(client)
  }

  /** @param stack default: the shared one */
  static async connect(stack: StackAddresses = testStack()): Promise<TestIdentity> {
    const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    return new TestIdentity(
      connection,
      new NatsClient(connection),
      new Database(stack.databaseUrls.identity, 2),
    )
  }

  async close(): Promise<void> {
    await this.database.$disconnect()
    await this.connection.drain()
  }

  /**
   * Calls an operation with claims, or without. Claims from {@link claimsOf} are signed again if they are so old that they
   * could expire before a busy machine has verified them.
   */
  async call<O extends Operation>(operation: O, request: Request<O>, claims?: string): Promise<Output<O>> {
    const renewed = claims && (await this.renewed(claims))
    return this.client.call(operation, request, {
      claims: renewed && this.scoped.for(renewed, operation, request),
    })
  }

  async callAsOperator<O extends Operation>(operation: O, request: Request<O>): Promise<Output<O>> {
    const { claims } = await this.call(issueServiceClaims, { name: 'operator', audience: 'identity' })
    return this.call(operation, request, claims)
  }

  /** Introspects a credential; `fresh` where rows were changed behind identity's back. */
  introspect(
    credential: PresentedCredential,
    {
      clientAddress,
      ...options
    }: {
      readonly fresh?: boolean
      readonly audience?: string
      readonly organization_id?: string
      readonly clientAddress?: string
    } = {},
  ): Promise<Output<typeof introspectCredential>> {
    return this.client.call(introspectCredential, { ...credential, ...options }, { clientAddress })
  }

  /** Returns signed claims about the holder of a credential. */
  async claimsOf(credential: PresentedCredential): Promise<string> {
    const claims = await this.scoped.of(credential)
    this.signed.set(claims, { credential, claims, atMs: performance.now() })
    return claims
  }

  /** The claims that a gateway would send with a call about an organization, for those of {@link claimsOf}. */
  claimsFor(claims: string, organization_id: string): string {
    return this.scoped.for(claims, authorizeCredential, { organization_id })
  }

  /** Makes a user who belongs to no organization. */
  async newUser(): Promise<TestUser> {
    const email = `${randomUUID()}@example.com`
    const password = randomBytes(12).toString('base64')
    const { user_id: id } = await this.callAsOperator(createUser, { email, password })
    return { id, email, password, claims: await this.claimsOf({ kind: 'user', email, secret: password }) }
  }

  /** Makes an organization and its admin. */
  async newAdmin(): Promise<TestAdmin> {
    const user = await this.newUser()
    const organizationId = randomUUID()
    await this.call(addFirstAdmin, { founded_organization_id: organizationId }, user.claims)
    const claims = await this.claimsOf({ kind: 'user', email: user.email, secret: user.password })
    return { ...user, organizationId, claims }
  }

  private async renewed(claims: string): Promise<string> {
    const signed = this.signed.get(claims)
    if (signed && performance.now() - signed.atMs > RENEW_MS) {
      // If the credential was deleted, its last claims remain.
      const claims = await this.scoped.of(signed.credential).catch(() => signed.claims)
      Object.assign(signed, { claims, atMs: performance.now() })
    }
    return signed?.claims ?? claims
  }
}
