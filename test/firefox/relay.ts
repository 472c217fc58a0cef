#!/usr/bin/env bun
/**
 * Starts Firefox for Playwright, and passes on the messages of WebDriver BiDi between them, because
 * Firefox ESR lacks one command that Playwright sends for each context.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const UNKNOWN = 'emulation.setMediaFeaturesOverride'
/** Playwright fills a field like this, and React takes it for a change of its own. */
const ASSIGNMENT = 'inputElement.value = value;'
const NATIVE_ASSIGNMENT =
  "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(inputElement), 'value').set.call(inputElement, value);"
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/

interface Channel {
  firefox: WebSocket
}

const browser = spawn(process.env.CORK_FIREFOX!, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})

function relay(address: string): string {
  const server = Bun.serve<Channel>({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, server) {
      const data = { firefox: new WebSocket(address + new URL(request.url).pathname) }
      return server.upgrade(request, { data }) ? undefined : new Response(null, { status: 400 })
    },
    websocket: {
      idleTimeout: 0,
      maxPayloadLength: 2 ** 30,
      open(playwright) {
        const { firefox } = playwright.data
        firefox.onmessage = ({ data }) => playwright.send(answerOf(String(data)))
        firefox.onclose = () => playwright.close()
      },
      async message({ data: { firefox } }, message) {
        if (firefox.readyState === WebSocket.CONNECTING)
          await new Promise((resolve) => firefox.addEventListener('open', resolve))
        firefox.send(String(message).replaceAll(ASSIGNMENT, NATIVE_ASSIGNMENT))
      },
      close: ({ data }) => data.firefox.close(),
    },
  })
  return `ws://127.0.0.1:${server.port}`
}

function answerOf(text: string): string {
  if (!text.includes('unknown command')) return text
  const { id, error, message } = JSON.parse(text)
  const isExpected = error === 'unknown command' && message === UNKNOWN
  return isExpected ? JSON.stringify({ type: 'success', id, result: {} }) : text
}

browser.on('exit', (code) => process.exit(code ?? 1))
for await (const line of createInterface({ input: browser.stderr }))
  console.error(line.replace(LISTENING, (all, address) => all.replace(address, relay(address))))
