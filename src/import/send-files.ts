import { ImportApiError, type Outcome, type Result, type WireAttachment } from './api.ts'
import type { Attachment } from './record.ts'

/** Larger files are only sent by their address. */
const MAX_FILE_BYTES = 3 * 1024 * 1024

/** Such as of a token that was revoked: the next file would have it too. */
const FATAL = [0, 401, 403]

export interface FailedFile {
  filename: string
  /** The id of its task in the source. */
  task: string
  url?: string
  reason: string
}

/** Sends files one after the other. One that fails is noted, and the import goes on. */
export class FileSender {
  constructor(
    private readonly attach: (attachment: WireAttachment) => Promise<Result>,
    private readonly failed: FailedFile[],
  ) {}

  async send(file: Attachment): Promise<Outcome | undefined> {
    const { filename, task, url } = file
    try {
      const attachment = await wireAttachment(file)
      return (await this.attach(attachment)).outcome
    } catch (error) {
      const isExpected = error instanceof ImportApiError || error instanceof TooLarge
      if (!isExpected || (error instanceof ImportApiError && FATAL.includes(error.status)))
        throw error
      const { message: reason } = error
      this.failed.push({ filename, task, ...(url !== undefined && { url }), reason })
      return undefined
    }
  }
}

class TooLarge extends Error {}

async function wireAttachment({ bytes, ...attachment }: Attachment): Promise<WireAttachment> {
  const content = await bytes?.()
  if (content && content.length <= MAX_FILE_BYTES) {
    const { url: _, ...withoutUrl } = attachment
    return { ...withoutUrl, data: toBase64(content) }
  }
  if (attachment.url !== undefined) return attachment
  throw new TooLarge('The file is larger than 3 MB. Attach it by hand')
}

/** The length of a piece is a multiple of 3, so that pieces can be encoded one by one. */
const PIECE = 3 * 8192

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))))
  return pieces.join('')
}
