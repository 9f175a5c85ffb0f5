import { relativeTime, utcMinute } from '../ground/time.js'
import { useNow } from '../ground/use-now.js'

/** A moment, relative to now. The exact time, in UTC and of this place, is in its title. */
export function Time({ at }: { readonly at: string }) {
  const now = useNow(30_000)
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={`${utcMinute(at)} · ${new Date(ms).toLocaleString()}`}>
      {relativeTime(ms, now)}
    </time>
  )
}
