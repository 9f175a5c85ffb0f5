import { PART_BYTES } from '@bearing/contracts/management/data/upload'
import { describe, expect, it } from '@jest/globals'
import { UploadLimit, type ActiveUpload } from './upload-limit.js'

const MINUTE_MS = 60_000
const OVERLOADED = expect.objectContaining({ code: 'overloaded', details: { retry_after: 5 } }) as unknown

describe('the limit of uploads', () => {
  let now = 0
  const open = (count: number) => new UploadLimit(count, () => now)

  /** Starts an upload that ends when it is aborted or finished. */
  function begin(uploads: UploadLimit, organization: string) {
    let finish: (() => void) | undefined
    const begun: { upload?: ActiveUpload } = {}
    const ended = uploads.run(organization, (upload) => {
      begun.upload = upload
      return new Promise<void>((resolve, reject) => {
        finish = resolve
        upload.signal.addEventListener('abort', () => reject(upload.signal.reason as Error))
      })
    })
    ended.catch(() => undefined)
    return {
      ended,
      finish: () => finish?.(),
      received: (bytes: number) => begun.upload?.received(bytes),
      isEnded: () => begun.upload?.signal.aborted ?? true,
    }
  }

  it('one organization may use the whole limit, and a finished upload makes room for another', async () => {
    const limit = open(3)
    const [first] = ['a', 'a', 'a'].map((organization) => begin(limit, organization))
    await expect(begin(limit, 'a').ended).rejects.toEqual(OVERLOADED)
    first?.finish()
    await first?.ended
    expect(begin(limit, 'a').isEnded()).toBe(false)
    await expect(begin(limit, 'a').ended).rejects.toEqual(OVERLOADED)
  })

  it('a new upload ends the slowest one of the organization with the most uploads', async () => {
    const limit = open(4)
    const uploads = ['a', 'a', 'a', 'b'].map((organization) => {
      now += 1_000
      return begin(limit, organization)
    })
    now += 1_000
    uploads[0]?.received(PART_BYTES)
    uploads[1]?.received(PART_BYTES - 1)
    expect(begin(limit, 'b').isEnded()).toBe(false)
    expect(uploads.map(({ isEnded }) => isEnded())).toEqual([false, true, false, false])
    await expect(uploads[1]?.ended).rejects.toEqual(OVERLOADED)
    // Two and two: no organization has more than the new upload's would have.
    await expect(begin(limit, 'b').ended).rejects.toEqual(OVERLOADED)
    await expect(begin(limit, 'a').ended).rejects.toEqual(OVERLOADED)
    expect(begin(limit, 'c').isEnded()).toBe(false)
  })

  it('an organization with many uploads cannot end those of another within its share', () => {
    const limit = open(8)
    for (let i = 0; i < 100; i++) begin(limit, 'many')
    const few = [1, 2, 3, 4].map(() => begin(limit, 'few'))
    for (let i = 0; i < 100; i++) begin(limit, 'many')
    expect(few.map(({ isEnded }) => isEnded())).toEqual([false, false, false, false])
  })

  it('an upload without a part in five minutes is ended for any other, and one with a part continues', () => {
    const limit = open(2)
    const stalled = begin(limit, 'a')
    const moving = begin(limit, 'a')
    now += 4 * MINUTE_MS
    moving.received(PART_BYTES)
    stalled.received(PART_BYTES / 2)
    now += 2 * MINUTE_MS
    expect(begin(limit, 'a').isEnded()).toBe(false)
    expect([stalled.isEnded(), moving.isEnded()]).toEqual([true, false])
  })

  it('a failed upload is no longer counted', async () => {
    const limit = open(1)
    await expect(limit.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(limit.run('a', () => Promise.resolve(7))).resolves.toBe(7)
  })
})
