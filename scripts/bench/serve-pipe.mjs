import { Agent, createServer, request as ask } from 'node:http'

// The least a gateway in Node can be: `node serve-pipe.mjs PORT TARGET_PORT` hands requests on and answers back.
const [port, target] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: 128 })

createServer((request, response) => {
  const { method, url } = request
  const onward = ask({ agent, host: '127.0.0.1', port: target, method, path: url }, (reply) => {
    response.writeHead(reply.statusCode, reply.headers)
    reply.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}).listen(port, '127.0.0.1')
