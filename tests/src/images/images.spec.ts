import { forSuite } from '@bearing/testing/for-suite'
import { jest } from '@jest/globals'
import { buildOnce } from './built.js'
import { describeCompose } from './describe-compose.js'
import { describePods } from './describe-pods.js'
import { describeRelease } from './describe-release.js'
import { describeWithContainers } from './describe-with-containers.js'

// The first build fetches every package.
jest.setTimeout(40 * 60_000)

// One suite: three would build the same images at the same time.
describeWithContainers('images built once', () => {
  const built = forSuite(buildOnce)
  describeRelease(built)
  describeCompose(built)
  // Last, because it builds another time.
  describePods(built)
})
