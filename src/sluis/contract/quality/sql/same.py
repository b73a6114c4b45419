"""What of another database's SQL is known to mean the same in Spark, as it is or in other words."""

from __future__ import annotations

from sqlglot import exp

SAME: frozenset[type[exp.Expr]] = frozenset(
    {
        # How a query is put together.
        *(exp.Alias, exp.Column, exp.CTE, exp.Distinct, exp.Dot, exp.Except, exp.Filter, exp.From, exp.Group),
        *(
            exp.Fetch,
            exp.Having,
            exp.Identifier,
            exp.Intersect,
            exp.Join,
            exp.Limit,
            exp.Offset,
            exp.Order,
            exp.Ordered,
        ),
        *(exp.Paren, exp.Qualify, exp.Select, exp.Star, exp.Subquery, exp.Table, exp.TableAlias, exp.Tuple),
        *(exp.Union, exp.Where, exp.Window, exp.WindowSpec, exp.With, exp.WithinGroup),
        # Values and their types.
        *(exp.Boolean, exp.DataType, exp.DataTypeParam, exp.DateStrToDate, exp.Interval, exp.Literal),
        *(exp.Null, exp.Var),
        # Operators.
        *(exp.Add, exp.And, exp.Between, exp.Div, exp.DPipe, exp.EQ, exp.Escape, exp.Exists, exp.GT, exp.GTE),
        *(exp.ILike, exp.In, exp.Is, exp.Like, exp.LT, exp.LTE, exp.Mod, exp.Mul, exp.Neg, exp.NEQ, exp.Not),
        *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Or, exp.Sub, exp.Xor),
        # Conditions and conversions.
        *(exp.Case, exp.Cast, exp.Coalesce, exp.Convert, exp.DecodeCase, exp.If, exp.Nullif, exp.Nvl2, exp.TryCast),
        # Aggregates and windows.
        *(exp.ApproxDistinct, exp.ApproxQuantile, exp.Avg, exp.Corr, exp.Count, exp.CountIf, exp.CovarPop),
        *(exp.CovarSamp, exp.CumeDist, exp.DenseRank, exp.Lag, exp.Lead, exp.LogicalAnd, exp.LogicalOr, exp.Max),
        *(exp.Median, exp.Min, exp.Ntile, exp.PercentRank, exp.PercentileCont, exp.Rank, exp.RowNumber, exp.Stddev),
        *(exp.StddevPop, exp.StddevSamp, exp.Sum, exp.Variance, exp.VariancePop),
        # Numbers.
        *(exp.Abs, exp.Acos, exp.Asin, exp.Atan, exp.Atan2, exp.Cbrt, exp.Ceil, exp.Cos, exp.Degrees, exp.Exp),
        *(exp.Floor, exp.Greatest, exp.Least, exp.Ln, exp.Log, exp.Pi, exp.Pow, exp.Radians, exp.Round),
        *(exp.SafeDivide, exp.Sign, exp.Sin, exp.Sqrt, exp.Tan),
        # Text.
        *(exp.Concat, exp.ConcatWs, exp.Contains, exp.EndsWith, exp.JSONExtractScalar, exp.JSONPath, exp.JSONPathKey),
        *(exp.JSONPathRoot, exp.Left, exp.Length, exp.Lower, exp.Pad),
        *(exp.RegexpILike, exp.RegexpLike, exp.RegexpReplace, exp.Repeat, exp.Replace, exp.Right, exp.SplitPart),
        *(exp.StartsWith, exp.StrPosition, exp.Substring, exp.Trim, exp.Upper),
        # Days and moments.
        *(exp.CurrentDate, exp.CurrentTimestamp, exp.Date, exp.DateAdd, exp.DateDiff, exp.DateSub, exp.DateTrunc),
        *(exp.DatetimeAdd, exp.DatetimeDiff, exp.DatetimeSub, exp.Day, exp.DayOfMonth, exp.DayOfWeek, exp.DayOfYear),
        *(exp.Extract, exp.Hour, exp.LastDay, exp.Minute, exp.Month, exp.Quarter, exp.Second, exp.StrToDate),
        *(exp.StrToTime, exp.TimestampAdd, exp.TimestampDiff, exp.TimestampSub, exp.TimestampTrunc, exp.TimeToStr),
        *(exp.ToChar, exp.TsOrDsAdd, exp.TsOrDsToDate, exp.Year),
    }
)
"""Parts of a query that Spark has too; `rewrite` and what it calls write some of them in other words."""


TYPES = frozenset(
    {
        *(exp.DType.BIGINT, exp.DType.BOOLEAN, exp.DType.DATE, exp.DType.DATETIME, exp.DType.DATETIME2),
        *(exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.INT, exp.DType.SMALLINT),
        *(exp.DType.TIMESTAMP, exp.DType.TIMESTAMPLTZ, exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPTZ),
        *(exp.DType.TINYINT, *exp.DataType.TEXT_TYPES),
    }
)
"""Types that Spark has too."""
