import TestSequencer from '@jest/test-sequencer'

/** Suites that take minutes and have small files. Without times of an earlier run, Jest starts large files first. */
const FIRST = [
  'tests/dist/images/images.spec.js',
  'tests/dist/hosts/faults.spec.js',
  'passwords/sign-in-floods.spec.js',
  'tests/dist/pages/walk.spec.js',
  'tests/dist/faults/erasure.spec.js',
]

/** Starts the longest suites first, so that none is left alone at the end. */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const isFirst = ({ path }) => FIRST.some((suite) => path.endsWith(suite))
    const sorted = super.sort(tests)
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))]
  }
}
