import { describe, expect, it } from '@jest/globals'
import { attributeColumns } from './attribute-columns.js'

const NONE = {
  hardwareVersion: null,
  softwareType: null,
  softwareVersion: null,
  startTime: null,
  durationSecs: null,
  mimeTypes: [],
  reason: null,
}

describe('attribute columns of a commit', () => {
  it('are read inside the device, beside it, and inside the software version of symbols', () => {
    const versions = { hardware_version: 'evt', software_type: 'main', software_version: '1.0.0' }
    const read = { ...NONE, hardwareVersion: 'evt', softwareType: 'main', softwareVersion: '1.0.0' }
    expect(attributeColumns({ device: versions })).toEqual(read)
    expect(attributeColumns(versions)).toEqual(read)
    const symbols = { version: '1.2.3:10203', software_type: 'com.example.app' }
    expect(attributeColumns({ software_version: symbols })).toEqual({
      ...NONE,
      softwareVersion: '1.2.3:10203',
      softwareType: 'com.example.app',
    })
  })

  it('of a recording are its start, duration, MIME types and reason', () => {
    const recording = {
      start_time: '2026-11-23T17:00:00+00:00',
      duration_secs: 12,
      mimetypes: ['text/plain'],
      reason: 'button pressed',
    }
    expect(attributeColumns(recording)).toEqual({
      ...NONE,
      startTime: '2026-11-23T17:00:00+00:00',
      durationSecs: 12,
      mimeTypes: ['text/plain'],
      reason: 'button pressed',
    })
  })

  it('are null if they are too long or of another type', () => {
    const wrong = {
      device: 'evt',
      software_version: 7,
      start_time: 'x'.repeat(65),
      duration_secs: '12',
      mimetypes: [1, 'x'.repeat(129)],
      reason: {},
    }
    expect(attributeColumns(wrong)).toEqual(NONE)
  })
})
