import vm from 'node:vm'
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node'

/**
 * Jest's environment for Node, on an ordinary global object. Jest's own stands behind a proxy, which is asked at every
 * `Math`, `Map` or `Promise` in what is tested: arithmetic took fifty times as long as it does outside of Jest.
 */
export default class TestEnvironment extends NodeEnvironment {
  constructor(...options: ConstructorParameters<typeof NodeEnvironment>) {
    const { createContext } = vm
    // There is no other way to configure it: it creates its context itself.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...options)
    } finally {
      vm.createContext = createContext
    }
  }
}
