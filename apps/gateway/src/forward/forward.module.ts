import { Module } from '@nestjs/common'
import { AuthenticateModule } from '../authenticate/authenticate.module.js'
import { AuthorizeModule } from '../authorize/authorize.module.js'
import { Forwarding } from './forward.js'

/**
 * Turns an authorized request into a call of the route's operation over NATS, and the output into a reply: reads the input from
 * path, query and body, forwards bodies unread where only the service reads them, and streams long lists. Wings with routes
 * of their own build on it. May import `authorize`, `authenticate` and lower wings.
 */
@Module({
  imports: [AuthenticateModule, AuthorizeModule],
  providers: [Forwarding],
  exports: [Forwarding],
})
export class ForwardModule {}
