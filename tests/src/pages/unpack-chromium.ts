import { inflate } from '@sparticuz/chromium'

// `node unpack-chromium.js <archive>…` unpacks the archives of the package into the folder of TMPDIR. A process of its own, because the
// package reads that variable.

await Promise.all(process.argv.slice(2).map((archive) => inflate(archive)))
