import { Elysia } from 'elysia'
import type { Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { FileStore } from '../../kernel/outside.ts'
import type { Called, Door, Visit } from '../door.ts'
import { detail } from './detail.ts'
import { download, type Rules } from './download.ts'
import { type Receive, upload } from './upload.ts'

interface Parts {
  door: Door
  dispatch: Dispatch
  files: FileStore
  /** Says of one file what it is, if the caller may see it. */
  get: AnyOperation
  /** Puts on a task what was received. */
  attach: AnyOperation
  receive: Receive
  rules: Rules
}

type Handle = (visit: Visit, called: Called) => Promise<unknown>

/** Bytes in and out: what JSON cannot carry. */
export function files(parts: Parts) {
  const { door } = parts
  const served =
    (handle: Handle) =>
    ({ request, route, server, params }: Called) => {
      const called = { request, route, server, ...(params && { params }) }
      return door.serve(called, 'bearer or cookie', (visit) => handle(visit, called))
    }
  const content = served((visit, called) => download(parts, visit, called))
  const form = served((visit, called) => upload(parts, visit, called))
  return new Elysia({ name: 'files' })
    .get('/api/v1/attachments/:attachment_id/content', content as never, {
      detail: detail.download as never,
    })
    .head('/api/v1/attachments/:attachment_id/content', content as never, {
      detail: { hide: true },
    })
    .post('/api/v1/tasks/:task/attachments/upload', form as never, {
      parse: 'none',
      detail: detail.upload as never,
    })
}
