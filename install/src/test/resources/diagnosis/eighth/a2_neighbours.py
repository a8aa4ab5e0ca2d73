# limit: 4
# "Two arrays of 5 MB and 1 MB, tried to allocate 19 GiB!"
import torch

torch.manual_seed(22)


class NearestNeighbours:
    def __init__(self, k=5):
        self.k = k

    def fit(self, points, labels):
        self.points = points
        self.labels = labels
        return self

    def distances(self, queries):
        diff = queries[:, None, :] - self.points[None, :, :]
        return diff.pow(2).sum(-1).sqrt()

    def predict(self, queries):
        d = self.distances(queries)
        nearest = d.topk(self.k, largest=False).indices
        return self.labels[nearest].mode(dim=1).values


def cloud(n, dim=64):
    return torch.randn(n, dim, device="cuda")


if __name__ == "__main__":
    with torch.no_grad():
        labels = torch.randint(0, 10, (4000,), device="cuda")
        knn = NearestNeighbours().fit(cloud(4000), labels)
        small = knn.predict(cloud(200))
        print("small query set fine:", small.shape)
        pred = knn.predict(cloud(20000))
        print(pred.bincount())
