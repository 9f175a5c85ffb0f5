import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { WifiAnswers } from './wifi-answers.js'

/** Resolves a Wi-Fi scan. */
@Controller()
export class ResolveWifiLocation {
  constructor(private readonly answers: WifiAnswers) {}

  @Handle(resolveWifiLocation)
  execute(input: Input<typeof resolveWifiLocation>): Promise<Output<typeof resolveWifiLocation>> {
    return this.answers.of(input, input)
  }
}
