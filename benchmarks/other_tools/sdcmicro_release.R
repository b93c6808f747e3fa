# sdcMicro: recoding of whole columns first, then local suppression of single values until k-anonymity holds.
# A missing value counts as any value where ALPHA is 1, and as a value of its own where it is 0.
# Run: Rscript sdcmicro_release.R FOLDER OUTPUT K ALPHA ATTRIBUTE=LEVEL ...
library(sdcMicro)
words <- commandArgs(trailingOnly = TRUE)
folder <- words[1]
recode <- strsplit(words[-(1:4)], "=")
records <- read.csv(file.path(folder, "records.csv"), colClasses = "character", check.names = FALSE)
original <- names(records)
names(records) <- make.names(original)  # sdcMicro builds expressions of names
keys <- make.names(sub("\\.csv$", "", list.files(file.path(folder, "hierarchies"))))
records[keys] <- lapply(records[keys], factor)
started <- proc.time()[["elapsed"]]
sdc <- createSdcObj(records, keyVars = keys, alpha = as.numeric(words[4]))
for (pair in recode) {
  ladder <- read.csv2(file.path(folder, "hierarchies", paste0(pair[1], ".csv")), header = FALSE, colClasses = "character")
  column <- make.names(pair[1])
  groups <- split(ladder[[1]], ladder[[as.integer(pair[2]) + 1]])
  for (group in names(groups)) {
    before <- intersect(groups[[group]], levels(records[[column]]))
    if (length(before) > 0) sdc <- groupAndRename(sdc, var = column, before = before, after = group)
  }
}
sdc <- kAnon(sdc, k = as.integer(words[3]))
release <- extractManipData(sdc)
work <- proc.time()[["elapsed"]] - started
release[keys] <- lapply(release[keys], function(values) ifelse(is.na(values), "*", as.character(values)))
names(release) <- original
write.csv(release, words[2], row.names = FALSE)
cat(sprintf('{"version": "%s", "work": %.3f}\n', as.character(packageVersion("sdcMicro")), work))
