import type { Caller } from '../../kernel/caller.ts'
import { type Dispatch, lacking } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import type { Called, Visit } from '../door.ts'

const MOST_BYTES = 15 * 1024 * 1024
/** Of the form around the files. */
const FRAME = 64 * 1024
const MOST_FILES = 10

/** A file as it came, and what its sender calls it. */
export interface Sent {
  filename: string
  content_type: string
  bytes: Blob
}

/** Keeps the bytes, and answers what can be attached. */
export type Receive = (caller: Caller, sent: readonly Sent[]) => Promise<unknown[]>

interface Parts {
  dispatch: Dispatch
  attach: AnyOperation
  receive: Receive
}

/** Files as a browser's form or `curl -F file=@…` sends them. */
export async function upload(parts: Parts, visit: Visit, { request, params }: Called) {
  checkMay(visit.caller!, parts.attach)
  const form = await formIn(request)
  const sent = [...form.values()].flatMap((part) =>
    typeof part === 'string' ? [] : [asSent(part as File)],
  )
  const input = { ...addressed(params!.task!), ...fieldsIn(form) }
  checkFiles(sent)
  const files = await parts.receive(visit.caller!, sent)
  const key = request.headers.get('idempotency-key') ?? undefined
  const answer = await parts.dispatch(visit.caller!, parts.attach, { ...input, files }, key)
  visit.status = 201
  if (answer.replayed) visit.headers['idempotent-replayed'] = 'true'
  return { success: true, data: answer.data }
}

/** Before megabytes are read; whether they may do it on this task is for the operation to say. */
function checkMay({ scopes }: Caller, { needs }: AnyOperation) {
  if (!scopes.has(needs)) throw lacking(needs)
}

async function formIn(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Fault(
      'unsupported_type',
      `The body must be multipart/form-data, not ${type || 'untyped'}`,
      {},
      'Send the file in a part named file; JSON goes to POST /api/v1/tasks/{task}/attachments',
    )
  const body = await fromClient(request, bytesOf(request))
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw new Fault(
      'invalid',
      `The form cannot be read: ${(error as Error).message}`,
      { code: 'invalid_format' },
      'Let your HTTP library write the form and its boundary',
    )
  }
}

/** Whatever the sender says of its length, no more than that is held. */
async function bytesOf(request: Request): Promise<Blob> {
  const most = MOST_BYTES + FRAME
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) throw tooLarge()
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

const asSent = (file: File): Sent => ({
  filename: file.name || 'file',
  content_type: file.type || 'application/octet-stream',
  bytes: file,
})

function checkFiles(sent: readonly Sent[]) {
  if (!sent.length)
    throw fault.invalid('file', 'required', 'The form holds no file', undefined, 'curl -F file=@…')
  if (sent.length > MOST_FILES)
    throw fault.invalid('file', 'too_long', `A form holds at most ${MOST_FILES} files`)
  if (sent.some(({ bytes }) => !bytes.size))
    throw fault.invalid('file', 'required', 'A file of the form is empty')
  if (sent.reduce((sum, { bytes }) => sum + bytes.size, 0) > MOST_BYTES) throw tooLarge()
}

const tooLarge = () =>
  new Fault(
    'too_large',
    `A form holds at most ${MOST_BYTES} bytes of files`,
    { field: 'file', code: 'too_long' },
    'Send them one by one, or attach a link to what is larger',
  )

/** Fields beside the files; the operation refuses those that it does not know. */
const fieldsIn = (form: FormData) =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, /^\d{1,10}$/.test(value) ? Number(value) : value]] : [],
    ),
  )

/** In a path a task is named by its number or its key. */
const addressed = (task: string) =>
  /^\d+$/.test(task) ? { task_id: Number(task) } : { ticket_number: task }
