import type { Provider, Type } from '@nestjs/common'

/** A part that handlers ask for by its class. */
export function provide<Part>(type: Type<Part>, part: NoInfer<Part>): Provider {
  return { provide: type, useValue: part }
}
