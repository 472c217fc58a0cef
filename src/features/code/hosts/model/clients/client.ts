/** An account at a host. */
export interface Account {
  /** Needed by GitLab, which names accounts by number. */
  id: string
  login: string
  name: string
  /** Only if the host shows it. Not every host has verified it: see `verifiesEmails`. */
  email?: string
}

/** What the token may do with a repository. */
export interface Granted {
  mayRead: boolean
  mayWrite: boolean
  /** Whether it may create webhooks. */
  mayManage: boolean
}

export interface HostRepository extends Granted {
  name: string
  url: string
  hasIssues: boolean
}

export interface HostIssue {
  number: number
  url: string
  title: string
  text: string
  isClosed: boolean
  labels: string[]
  /** Login names. */
  assignees: string[]
  author: Account
  commentCount: number
  createdAt: Date
  updatedAt: Date
}

export interface HostComment {
  id: string
  text: string
  author: Account
  createdAt: Date
  updatedAt: Date
}

export interface IssueDraft {
  title: string
  text: string
}

/** The fields to change. */
export type IssueChange = Partial<
  Pick<HostIssue, 'title' | 'text' | 'isClosed' | 'labels' | 'assignees'>
>

export interface Page<T> {
  items: T[]
  hasMore: boolean
}

export interface IssueQuery {
  page: number
  /** Only those that changed since then, closed ones too; without it all open ones. */
  since?: Date
}

export interface Webhook {
  url: string
  secret: string
}

/** The current verdict of a reviewer of a pull request. */
export interface Verdict {
  login: string
  review: 'none' | 'approved' | 'changes_requested'
}

export interface Commit {
  sha: string
  message: string
}

/** What Corkboard needs of a code host. Names of repositories are paths such as `acme/site`. */
export interface HostClient {
  me(): Promise<Account>
  /** Undefined if there is none with this name. */
  account(login: string): Promise<Account | undefined>
  /** Undefined if there is none that the token can see. */
  repository(name: string): Promise<HostRepository | undefined>
  mayWrite(repository: string, account: Account): Promise<boolean>
  issues(repository: string, query: IssueQuery): Promise<Page<HostIssue>>
  /** Numbers of issues with comments that changed since then, if the host can list them. */
  commentedSince(repository: string, since: Date): Promise<number[]>
  /** Undefined if it was deleted. */
  issue(repository: string, number: number): Promise<HostIssue | undefined>
  createIssue(repository: string, draft: IssueDraft): Promise<HostIssue>
  /** Returns the issue as the host stored it. */
  updateIssue(repository: string, number: number, change: IssueChange): Promise<HostIssue>
  /** All comments, the oldest first. */
  comments(repository: string, number: number): Promise<HostComment[]>
  createComment(repository: string, number: number, text: string): Promise<HostComment>
  updateComment(
    repository: string,
    number: number,
    id: string,
    text: string,
  ): Promise<HostComment | undefined>
  deleteComment(repository: string, number: number, id: string): Promise<void>
  /** Creates a webhook, or updates the one with this address, and returns its id. */
  saveWebhook(repository: string, webhook: Webhook): Promise<string>
  deleteWebhook(repository: string, id: string): Promise<void>
  /** Undefined if every verdict of a reviewer is an event. */
  verdicts?(repository: string, number: number): Promise<Verdict[]>
  /** Names of tags, the newest first. */
  tags(repository: string): Promise<string[]>
  commitsBetween(repository: string, from: string, to: string): Promise<Commit[]>
}
