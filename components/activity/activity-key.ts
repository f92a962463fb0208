/** The key of the log's query; `query` is that of its route, without place and size. */
export function activityKey(query: string, visit: string) {
  return ['activity', visit, query] as const
}
