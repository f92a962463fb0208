import { Agent, createServer, request as ask } from 'node:http'

// A minimal gateway in Node: it takes its port and that of its target, and forwards requests and replies.
const [port, target] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: 128 })

createServer((request, response) => {
  const { method, url } = request
  const onward = ask({ agent, host: '127.0.0.1', port: target, method, path: url }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}).listen(port, '127.0.0.1')
