import type { FileStore } from '../../kernel/services.ts'

/** A part of a tool result besides its JSON. */
export type FileContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }

export interface StoredFile {
  filename: string
  content_type: string
  size: number
  sha256: string
}

/** The longer side of an image in pixels; models see no more detail than that. */
const MAX_SIDE = 1024
/** An image with more pixels would take too much memory while it is scaled. */
const MAX_PIXELS = 50_000_000
/** About 5,000 tokens. */
const MAX_TEXT_BYTES = 20_000
const TEXTS =
  /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|sql|x-sh)$|.*\+(json|xml)$)/
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp']

/** What a model sees of a file: an image, scaled down, or the beginning of a text. */
export async function contentOf(files: FileStore, file: StoredFile): Promise<FileContent[]> {
  if (IMAGES.includes(file.content_type)) return [await imageOf(files, file)]
  if (TEXTS.test(file.content_type)) return [await textOf(files, file)]
  return []
}

/** Also a small image is decoded, because some models refuse the whole request for a damaged one. */
async function imageOf(files: FileStore, file: StoredFile): Promise<FileContent> {
  const bytes = await bytesOf(files, file)
  try {
    const fit = { fit: 'inside', withoutEnlargement: true } as const
    const image = new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).resize(MAX_SIDE, MAX_SIDE, fit)
    return { type: 'image', data: await image.webp().toBase64(), mimeType: 'image/webp' }
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_IMAGE_TOO_MANY_PIXELS'
    const reason = isLarge
      ? 'has too many pixels'
      : 'is damaged, or in a format that is not supported'
    return {
      type: 'text',
      text: `The image ${reason}, so it is not shown. Download it from its url.`,
    }
  }
}

async function textOf(files: FileStore, file: StoredFile): Promise<FileContent> {
  const bytes = await bytesOf(files, file, MAX_TEXT_BYTES)
  const text = new TextDecoder().decode(bytes, { stream: true })
  const rest = file.size - bytes.length
  const note = `\n… (${rest.toLocaleString('en')} more bytes: download it from its url)`
  return { type: 'text', text: rest > 0 ? text + note : text }
}

async function bytesOf(files: FileStore, { sha256, size }: StoredFile, most = size) {
  const found = await files.read(sha256, 0, Math.min(size, most))
  return new Uint8Array(await new Response(found).arrayBuffer())
}
