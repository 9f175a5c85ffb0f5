import { NatsClient } from '@bearing/nats/client'
import { Module, type DynamicModule } from '@nestjs/common'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { AddressBook } from './authorize/scope-resolver.js'
import { AccessRefusals } from './authenticate/access-refusals.js'
import { Authenticator } from './authenticate/authenticator.js'
import { Admission, PROJECT_KEY_HEADERS } from './authenticate/admission.js'
import { BasicStrategy } from './authenticate/strategies/basic-strategy.js'
import { BearerStrategy } from './authenticate/strategies/bearer-strategy.js'
import { ProjectKeyStrategy } from './authenticate/strategies/project-key-strategy.js'
import { SessionStrategy } from './authenticate/strategies/session-strategy.js'
import { TokenUses } from './authenticate/token-uses.js'
import { ReadChunkRoute } from './chunks/read-chunk-route.js'
import { SendChunksRoute } from './chunks/send-chunks-route.js'
import { DataPolicies } from './chunks/policies/data-policies.js'
import { FailedCredentials } from './ground/limits/failed-credentials.js'
import { StrangerQuota } from './ground/limits/anonymous-quota.js'
import { RequestQuota } from './ground/limits/request-quota.js'
import { OwnPages } from './authenticate/browser/same-origin.js'
import { ShowSessionRoute, SignOutRoute, StartSessionRoute } from './sessions/session-routes.js'
import { Authorization } from './authorize/authorization.js'
import { Forwarding } from './forward/forward.js'
import {
  BeginLinkRoute,
  BeginSignOnRoute,
  CompleteSignOnRoute,
  FindSignOnRoute,
} from './sessions/sign-on-routes.js'
import { routeControllers } from './forward/route-controllers.js'
import { DownloadFileRoute } from './uploads/download-file-route.js'
import { PUBLIC_URL, PrepareDeviceUploadRoute, PrepareUploadRoute } from './uploads/prepare-routes.js'

/** What the gateway is made of and cannot make itself. */
export interface GatewayParts {
  readonly client: NatsClient
  readonly authenticator: Authenticator
  readonly uses: TokenUses
  readonly quota: RequestQuota
  readonly strangers: StrangerQuota
  readonly failures: FailedCredentials
  readonly refusals: AccessRefusals
  readonly projectKeyHeaders: readonly string[]
  readonly pages: OwnPages
  readonly store: MessageStore
  readonly queue: QueueShares
  readonly policies: DataPolicies
  readonly publicUrl: string
}

/** What the gateway is made of. */
@Module({})
export class GatewayModule {
  /** @param parts what is made before it */
  static with(parts: GatewayParts): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        ...routeControllers(),
        StartSessionRoute,
        ShowSessionRoute,
        SignOutRoute,
        FindSignOnRoute,
        BeginSignOnRoute,
        BeginLinkRoute,
        CompleteSignOnRoute,
        SendChunksRoute,
        ReadChunkRoute,
        PrepareDeviceUploadRoute,
        PrepareUploadRoute,
        DownloadFileRoute,
      ],
      providers: [
        { provide: NatsClient, useValue: parts.client },
        { provide: Authenticator, useValue: parts.authenticator },
        { provide: TokenUses, useValue: parts.uses },
        { provide: RequestQuota, useValue: parts.quota },
        { provide: StrangerQuota, useValue: parts.strangers },
        { provide: FailedCredentials, useValue: parts.failures },
        { provide: MessageStore, useValue: parts.store },
        { provide: QueueShares, useValue: parts.queue },
        { provide: DataPolicies, useValue: parts.policies },
        { provide: OwnPages, useValue: parts.pages },
        { provide: PUBLIC_URL, useValue: parts.publicUrl },
        { provide: AccessRefusals, useValue: parts.refusals },
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
        Authorization,
        Forwarding,
        BearerStrategy,
        BasicStrategy,
        ProjectKeyStrategy,
        SessionStrategy,
      ],
    }
  }
}
