import 'reflect-metadata'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { Module, type OnApplicationShutdown } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices'
import { pino } from 'pino'
import { BackgroundJob } from '../work/background-job.js'
import { OutboxRelay } from '../audit/outbox-relay.js'

const steps: string[] = []
const SILENT = pino({ level: 'silent' })

class Database implements OnApplicationShutdown {
  async onApplicationShutdown() {
    await sleep(1)
    steps.push('database')
  }
}

class Relay extends OutboxRelay {
  override async stop() {
    await sleep(5)
    await super.stop()
    steps.push('relay')
  }
}

class Job extends BackgroundJob {
  override async stop() {
    await sleep(10)
    await super.stop()
    steps.push('job')
  }
}

const job = () =>
  new Job({
    intervalMs: 1_000,
    run: () => Promise.resolve(void steps.push('run')),
    logger: SILENT,
    failure: 'failed',
  })

@Module({
  providers: [
    Database,
    {
      provide: OutboxRelay,
      useFactory: () =>
        new Relay({ drain: () => Promise.resolve(undefined) }, { publish: () => Promise.resolve() }, SILENT),
    },
    { provide: 'low', useFactory: job },
  ],
})
class Ground {}

@Module({ imports: [Ground], providers: [{ provide: 'high', useFactory: job }] })
class Top {}

it('an application stops calls first, then jobs, relays and the database, whichever module has them', async () => {
  const strategy: CustomTransportStrategy = {
    listen: (ready: () => void) => {
      steps.push('listening')
      ready()
    },
    close: async () => {
      await sleep(20)
      steps.push('calls')
    },
  }
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(Top, { strategy, logger: false })
  await app.listen()
  await app.close()
  expect(steps).toEqual(['run', 'run', 'listening', 'calls', 'job', 'job', 'relay', 'database'])
})
