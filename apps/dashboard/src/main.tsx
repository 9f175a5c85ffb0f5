import './ground/no-eval.js'

// Dynamic, so that no contract is built before zod knows that it must not generate code.
void import('./start.js')
