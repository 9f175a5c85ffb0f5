import { NatsClient } from '@bearing/nats/client'
import { Module, type DynamicModule } from '@nestjs/common'
import { AddressBook } from './address/address-book.js'
import { Authenticator } from './authentication/authenticator.js'
import { Admission, PROJECT_KEY_HEADERS } from './authentication/admission.js'
import { OrganizationTokenStrategy } from './authentication/organization-token-strategy.js'
import { TokenUses } from './authentication/token-uses.js'
import { ProjectKeyStrategy } from './authentication/project-key-strategy.js'
import { UserStrategy } from './authentication/user-strategy.js'
import { routeControllers } from './routing/route-controllers.js'

/** What the gateway is made of. */
@Module({})
export class GatewayModule {
  static with(parts: {
    readonly client: NatsClient
    readonly authenticator: Authenticator
    readonly uses: TokenUses
    readonly projectKeyHeaders: readonly string[]
  }): DynamicModule {
    return {
      module: GatewayModule,
      controllers: routeControllers(),
      providers: [
        { provide: NatsClient, useValue: parts.client },
        { provide: Authenticator, useValue: parts.authenticator },
        { provide: TokenUses, useValue: parts.uses },
        {
          provide: PROJECT_KEY_HEADERS,
          useValue: new Set(parts.projectKeyHeaders.map((name) => name.toLowerCase())),
        },
        {
          provide: AddressBook,
          useFactory: (client: NatsClient) => new AddressBook(client),
          inject: [NatsClient],
        },
        Admission,
        OrganizationTokenStrategy,
        UserStrategy,
        ProjectKeyStrategy,
      ],
    }
  }
}
