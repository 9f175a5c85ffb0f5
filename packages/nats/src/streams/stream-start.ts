import type { StreamInfo } from '@nats-io/jetstream'

/** Key of the time at which a stream was created; identity writes it into the metadata of the stream. */
export const STARTED = 'bearing-started'

/**
 * Returns when a stream was created: its sequences count from there. NATS 2.10.27 names another time for `created` from the second
 * restart on if the stream was updated between the two.
 */
export function startOf({ created, config }: Pick<StreamInfo, 'created' | 'config'>): Date {
  return new Date(config.metadata?.[STARTED] ?? created)
}
