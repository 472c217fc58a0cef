import type { Caller } from '../../../kernel/caller.ts'
import type { Operations } from '../reader.ts'
import { READERS, type Readable, type ResourceSource } from './kinds.ts'
import { listResources } from './list.ts'
import { articleName, type ManualText } from './manual.ts'
import { KINDS, MARKDOWN, parseUri, type ResourceKind, TEMPLATES } from './uris.ts'

export interface ResourceText extends Readable {
  uri: string
  kind: ResourceKind
}

/** Boards, tasks, pages, playbooks and the manual as markdown, read by operations. */
export class Resources {
  constructor(
    private readonly operations: Operations,
    private readonly manual: () => Promise<ManualText>,
  ) {}

  /** The kinds that the scopes of the caller allow. */
  kindsFor(caller: Caller): ResourceKind[] {
    return KINDS.filter((kind) => this.operations.mayCall(caller, READERS[kind].operations))
  }

  templates(caller: Caller) {
    return this.kindsFor(caller).map((kind) => {
      const { title, description, annotations } = READERS[kind]
      const uriTemplate = TEMPLATES[kind]
      return { uriTemplate, name: kind, title, description, mimeType: MARKDOWN, annotations }
    })
  }

  list(caller: Caller, cursor: string | undefined) {
    return listResources(this.sourceFor(caller), this.kindsFor(caller), cursor)
  }

  async read(caller: Caller, uri: string): Promise<ResourceText> {
    const { kind, id } = parseUri(uri)
    const readable = await READERS[kind].read(this.sourceFor(caller), id)
    return { uri, kind, ...readable }
  }

  /** Names of the manual's articles. */
  async articleNames(): Promise<string[]> {
    return (await this.manual()).articles.map(articleName)
  }

  /** The changes that make a resource stale. */
  dependenciesOf(kind: ResourceKind) {
    return READERS[kind].operations.flatMap((name) => this.operations.get(name).dependsOn ?? [])
  }

  private sourceFor(caller: Caller): ResourceSource {
    return { read: this.operations.readerFor(caller), manual: this.manual }
  }
}
