/** The name and id in a path such as `Boats/Hull 1a2b….md`. Old exports have ids of 5 digits. */
export interface NamedPath {
  folder: string
  name: string
  id: string
}

const FILE = /^(?:(.*)\/)?([^/]*?)(?: ([0-9a-f]{32}|[0-9a-f]{5}))?(_all)?\.(?:md|csv)$/i

export function namedPath(path: string): NamedPath | undefined {
  const [whole, folder = '', name = '', id = ''] = FILE.exec(path) ?? []
  return whole === undefined ? undefined : { folder, name, id: id.toLowerCase() }
}

/** The folders that can hold the pages of a page or database; older exports add the id. */
export const foldersOf = ({ folder, name, id }: NamedPath): string[] => {
  const path = folder ? `${folder}/${name}` : name
  return id ? [`${path} ${id}`, path] : [path]
}

/** The id at the end of a link to a page. */
export const pageIdIn = (link: string): string | undefined =>
  /(?: |%20)([0-9a-f]{5})\.md$/.exec(link)?.[1] ??
  /([0-9a-f]{32})(?:\.md)?(?:[?#].*)?$/i
    .exec(link.replace(/-(?=[0-9a-f]{4})/gi, ''))?.[1]
    ?.toLowerCase()

/** The path that a relative link in a file leads to. */
export function resolvePath(from: string, link: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of decode(link.split(/[?#]/)[0]!).split('/'))
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  return parts.join('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
