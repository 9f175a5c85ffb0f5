import { PART_BYTES } from '@bearing/contracts/management/upload'
import { describe, expect, it } from '@jest/globals'
import { UploadPlaces, type UploadPlace } from './upload-limit.js'

const MINUTE_MS = 60_000
const OVERLOADED = expect.objectContaining({ code: 'overloaded', details: { retry_after: 5 } }) as unknown

describe('places for uploads', () => {
  let now = 0
  const open = (count: number) => new UploadPlaces(count, () => now)

  /** An upload that ends with its place, or when it is told to. */
  function begin(places: UploadPlaces, organization: string) {
    let finish: (() => void) | undefined
    const begun: { place?: UploadPlace } = {}
    const ended = places.hold(organization, (place) => {
      begun.place = place
      return new Promise<void>((resolve, reject) => {
        finish = resolve
        place.signal.addEventListener('abort', () => reject(place.signal.reason as Error))
      })
    })
    // Looked at later.
    ended.catch(() => undefined)
    return {
      ended,
      finish: () => finish?.(),
      moved: (bytes: number) => begun.place?.moved(bytes),
      isEnded: () => begun.place?.signal.aborted ?? true,
    }
  }

  it('an organization alone may have all, and no more; each that ends makes room', async () => {
    const places = open(3)
    const [first] = ['a', 'a', 'a'].map((organization) => begin(places, organization))
    await expect(begin(places, 'a').ended).rejects.toEqual(OVERLOADED)
    first?.finish()
    await first?.ended
    expect(begin(places, 'a').isEnded()).toBe(false)
    await expect(begin(places, 'a').ended).rejects.toEqual(OVERLOADED)
  })

  it('an organization that has most gives way, by the upload that has been busy with its part for longest', async () => {
    const places = open(4)
    const uploads = ['a', 'a', 'a', 'b'].map((organization) => {
      now += 1_000
      return begin(places, organization)
    })
    now += 1_000
    uploads[0]?.moved(PART_BYTES)
    uploads[1]?.moved(PART_BYTES - 1)
    expect(begin(places, 'b').isEnded()).toBe(false)
    expect(uploads.map(({ isEnded }) => isEnded())).toEqual([false, true, false, false])
    await expect(uploads[1]?.ended).rejects.toEqual(OVERLOADED)
    // Two and two: nobody has more than the one that asks would have.
    await expect(begin(places, 'b').ended).rejects.toEqual(OVERLOADED)
    await expect(begin(places, 'a').ended).rejects.toEqual(OVERLOADED)
    expect(begin(places, 'c').isEnded()).toBe(false)
  })

  it('however many one organization begins, another one has as many as it needs up to its share', () => {
    const places = open(8)
    for (let i = 0; i < 100; i++) begin(places, 'many')
    const few = [1, 2, 3, 4].map(() => begin(places, 'few'))
    for (let i = 0; i < 100; i++) begin(places, 'many')
    expect(few.map(({ isEnded }) => isEnded())).toEqual([false, false, false, false])
  })

  it('who sends less than a part in five minutes gives way to anybody; who sends it goes on', () => {
    const places = open(2)
    const still = begin(places, 'a')
    const moving = begin(places, 'a')
    now += 4 * MINUTE_MS
    moving.moved(PART_BYTES)
    still.moved(PART_BYTES / 2)
    now += 2 * MINUTE_MS
    expect(begin(places, 'a').isEnded()).toBe(false)
    expect([still.isEnded(), moving.isEnded()]).toEqual([true, false])
  })

  it('what fails gives its place back', async () => {
    const places = open(1)
    await expect(places.hold('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(places.hold('a', () => Promise.resolve(7))).resolves.toBe(7)
  })
})
