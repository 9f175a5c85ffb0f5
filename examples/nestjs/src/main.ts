import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { Transport, type MicroserviceOptions } from '@nestjs/microservices'
import { AppModule } from './app.module.js'

const { NATS_URL: url = 'nats://127.0.0.1:4222', NATS_NKEY_SEED: nkeySeed, PORT: port = '3000' } = process.env
/** Messages may come over another NATS, or as another user. */
const { MESSAGES_URL: messages = url, MESSAGES_USER: user, MESSAGES_PASSWORD: pass } = process.env

const app = await NestFactory.create(AppModule.with({ nats: { url, nkeySeed, name: 'reports' } }))
app.connectMicroservice<MicroserviceOptions>(
  {
    transport: Transport.NATS,
    options: { servers: [messages], ...(user && { user }), ...(pass && { pass }) },
  },
  { inheritAppConfig: true },
)
app.enableShutdownHooks()
await app.startAllMicroservices()
await app.listen(port)
