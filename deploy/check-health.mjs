// The health check of the images: 0 where the service is ready. Node, because the images have no curl.
const port = process.env.HEALTH_PORT ?? '9090'
const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
  (response) => response.ok,
  () => false,
)
process.exit(ready ? 0 : 1)
