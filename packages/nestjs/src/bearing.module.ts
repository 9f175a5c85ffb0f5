import { IdentityClient } from '@bearing/client-nats/identity-client'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { Inject, Module, type DynamicModule, type OnApplicationShutdown, type Provider } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import { Access } from './access.js'
import { BearingHealth } from './health.js'
import { OPTIONS, type AsyncBearingOptions, type BearingOptions } from './options.js'
import { ProblemFilter } from './problem-filter.js'
import { BearingStrategy, ClaimsStrategy } from './strategies.js'
import { Verifier } from './verifier.js'

const CONNECTION = Symbol('connection to NATS')

const PROVIDERS: Provider[] = [
  {
    provide: CONNECTION,
    inject: [OPTIONS],
    useFactory: (options: BearingOptions) => ('nats' in options ? connectNats(options.nats) : undefined),
  },
  {
    provide: IdentityClient,
    inject: [CONNECTION],
    useFactory: (connection: Connection | undefined) => connection && new IdentityClient(connection),
  },
  {
    provide: Verifier,
    inject: [OPTIONS, IdentityClient],
    useFactory: (options: BearingOptions, identity: IdentityClient | undefined) =>
      new Verifier(options, identity),
  },
  {
    provide: Access,
    inject: [OPTIONS, Verifier, IdentityClient],
    useFactory: (options: BearingOptions, verifier: Verifier, identity: IdentityClient | undefined) =>
      new Access(options, verifier, identity),
  },
  {
    provide: BearingHealth,
    inject: [OPTIONS, CONNECTION],
    useFactory: (options: BearingOptions, connection: Connection | undefined) =>
      new BearingHealth(options, connection),
  },
  ClaimsStrategy,
  {
    provide: BearingStrategy,
    inject: [Verifier, IdentityClient],
    useFactory: (verifier: Verifier, identity: IdentityClient | undefined) =>
      identity && new BearingStrategy(verifier, identity),
  },
  { provide: APP_FILTER, useClass: ProblemFilter },
]

/** Guards, `IdentityClient` and `BearingHealth` for every module of an application. */
@Module({})
export class BearingModule implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly connection: Connection | undefined) {}

  static forRoot(options: BearingOptions): DynamicModule {
    return BearingModule.with({ provide: OPTIONS, useValue: options })
  }

  static forRootAsync(options: AsyncBearingOptions): DynamicModule {
    return BearingModule.with({ provide: OPTIONS, ...options })
  }

  private static with(options: Provider): DynamicModule {
    const exported = [Access, BearingHealth, IdentityClient]
    return { module: BearingModule, global: true, providers: [options, ...PROVIDERS], exports: exported }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.drain()
  }
}
